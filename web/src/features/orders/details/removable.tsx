import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { focusFirstButton } from './focus-first-button.ts'

type RemovableProps = {
  /** It was taken away, which can still be undone. */
  removed: boolean
  /** Says so in its place. */
  text: string
  onUndo: () => void
  children: ReactNode
}

/** An entry of a list, or in its place the way back, which takes the focus. */
export function Removable({ removed, text, onUndo, children }: RemovableProps) {
  const place = useRef<HTMLLIElement>(null)
  const undo = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (removed) undo.current?.querySelector('button')?.focus()
  }, [removed])
  return (
    <li ref={place}>
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
              focusFirstButton(place)
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
