import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { buttonStyle } from './button.tsx'
import { Menu, MenuItem, MenuSeparator } from './menu.tsx'

type ItemMenuProps = {
  /** Of the item. */
  name: string
  /** 'Modifica', where it is no link. */
  onChange?: (opener: HTMLElement) => void
  onRemove: (opener: HTMLElement) => void
  /** Items above 'Elimina'. */
  children?: ReactNode
}

/** The menu of an item in a list: 'Modifica' and 'Elimina'. */
export function ItemMenu({ name, onChange, onRemove, children }: ItemMenuProps) {
  const root = useRef<HTMLDivElement>(null)
  const opener = () => root.current?.querySelector('button') ?? document.body
  return (
    <div ref={root}>
      <Menu
        onHover={false}
        label={
          <>
            <EllipsisVertical aria-hidden />
            <span className="sr-only">Azioni: {name}</span>
          </>
        }
        buttonClassName={buttonStyle({ look: 'quiet', size: 'square' })}
      >
        {onChange ? (
          <MenuItem onSelect={() => onChange(opener())}>
            <Pencil aria-hidden />
            Modifica
          </MenuItem>
        ) : null}
        {children}
        <MenuSeparator />
        <MenuItem tone="danger" onSelect={() => onRemove(opener())}>
          <Trash2 aria-hidden />
          Elimina
        </MenuItem>
      </Menu>
    </div>
  )
}
