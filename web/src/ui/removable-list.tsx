import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { focusFirstButton } from '../lib/focus-first-button.ts'
import { useUndoableRemoval } from '../lib/use-undoable-removal.ts'
import { Button } from './button.tsx'

type RemovableProps = {
  /** The removal can still be undone. */
  removed: boolean
  text: string
  onUndo: () => void
  children: ReactNode
}

/** A list item, or in its place an undo button, which gets the focus. */
function Removable({ removed, text, onUndo, children }: RemovableProps) {
  const ref = useRef<HTMLLIElement>(null)
  const undo = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (removed) undo.current?.querySelector('button')?.focus()
  }, [removed])
  return (
    <li ref={ref}>
      {removed ? (
        <div
          ref={undo}
          role="status"
          className="flex min-h-11 items-center justify-between gap-3 rounded-control border border-dashed border-line-strong px-3 text-sm text-muted"
        >
          {text}
          <Button
            look="link"
            className="px-2"
            onClick={() => {
              onUndo()
              focusFirstButton(ref)
            }}
          >
            <Undo2 aria-hidden />
            Annulla
          </Button>
        </div>
      ) : (
        children
      )}
    </li>
  )
}

type RemovableListProps<T> = {
  items: readonly T[]
  /** Shown in place of an item whose removal can be undone. */
  removedText: string
  /** Removes the item on the server and from the cache, and reports its own failure. */
  onRemove: (itemId: string) => Promise<void>
  /** Replaces an empty list. */
  empty: ReactNode
  children: (item: T, remove: () => void, index: number) => ReactNode
}

/** A list of items that can be removed, and brought back for some time. */
export function RemovableList<T extends { id: string }>(props: RemovableListProps<T>) {
  const { items, removedText, onRemove, empty, children } = props
  const removal = useUndoableRemoval(onRemove)
  const shown = items.filter(({ id }) => !removal.isRemoving(id))
  if (shown.length === 0) return empty
  return (
    <ul className="flex flex-col gap-2">
      {shown.map((item, index) => (
        <Removable
          key={item.id}
          removed={removal.isUndoable(item.id)}
          text={removedText}
          onUndo={removal.undo}
        >
          {children(item, () => removal.removeLater(item.id), index)}
        </Removable>
      ))}
    </ul>
  )
}

type ItemButtonsProps = {
  /** The item in the accessible names, as in 'la nota 1'. */
  what: string
  onEdit: () => void
  onRemove: () => void
}

/** Buttons to edit and to remove an item. */
export function ItemButtons({ what, onEdit, onRemove }: ItemButtonsProps) {
  return (
    <span className="-mr-2 flex shrink-0">
      <Button look="quiet" size="square" aria-label={`Modifica ${what}`} onClick={onEdit}>
        <Pencil aria-hidden />
      </Button>
      <Button look="quiet" size="square" aria-label={`Elimina ${what}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </span>
  )
}
