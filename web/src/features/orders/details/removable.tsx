import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { focusFirstButton } from './focus-first-button.ts'

type RemovableProps = {
  /** The item was removed, and the removal can still be undone. */
  removed: boolean
  /** Text shown in place of a removed item. */
  text: string
  onUndo: () => void
  children: ReactNode
}

/** A list item, or in its place an undo button, which gets the focus. */
export function Removable({ removed, text, onUndo, children }: RemovableProps) {
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
