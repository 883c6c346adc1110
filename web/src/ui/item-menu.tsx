import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { buttonStyle } from './button.tsx'
import { Menu, MenuItem, MenuSeparator } from './menu.tsx'

/** What is done with an item, and the control to which the focus returns. */
export type ItemActions<Item> = {
  onChange: (item: Item, opener: HTMLElement) => void
  onRemove: (item: Item, opener: HTMLElement) => void
}

type ItemMenuProps<Item> = { item: Item; actions: ItemActions<Item> }

/** The menu of an item in a list: 'Modifica' and 'Elimina'. */
export function ItemMenu<Item extends { name: string }>({ item, actions }: ItemMenuProps<Item>) {
  const root = useRef<HTMLDivElement>(null)
  const opener = () => root.current?.querySelector('button') ?? document.body
  return (
    <div ref={root}>
      <Menu
        onHover={false}
        label={
          <>
            <EllipsisVertical aria-hidden />
            <span className="sr-only">Azioni: {item.name}</span>
          </>
        }
        buttonClassName={buttonStyle({ look: 'quiet', size: 'square' })}
      >
        <MenuItem onSelect={() => actions.onChange(item, opener())}>
          <Pencil aria-hidden />
          Modifica
        </MenuItem>
        <MenuSeparator />
        <MenuItem tone="danger" onSelect={() => actions.onRemove(item, opener())}>
          <Trash2 aria-hidden />
          Elimina
        </MenuItem>
      </Menu>
    </div>
  )
}
