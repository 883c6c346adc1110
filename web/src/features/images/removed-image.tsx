import { Undo2 } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Button } from '../../ui/button.tsx'

type RemovedImageProps = { onUndo: () => void; focusFallback: RefObject<HTMLElement | null> }

/** Notice that the picture was removed, with undo. It takes the focus from the removed button. */
export function RemovedImage({ onUndo, focusFallback }: RemovedImageProps) {
  const place = useFocusFallback(focusFallback)
  useEffect(() => place.current?.querySelector('button')?.focus(), [place])
  return (
    <div
      ref={place}
      role="status"
      className="flex min-h-11 items-center justify-between gap-3 rounded-control border border-dashed border-line-strong px-3 text-sm text-muted"
    >
      Immagine tolta
      <Button look="link" className="px-2" onClick={onUndo}>
        <Undo2 aria-hidden />
        Annulla
      </Button>
    </div>
  )
}
