import { Undo2 } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Button } from '../../ui/button.tsx'

type RemovedImageProps = { onUndo: () => void; heir: RefObject<HTMLElement | null> }

/** Says that the picture was taken away, with the way back, which takes the focus of the button that went. */
export function RemovedImage({ onUndo, heir }: RemovedImageProps) {
  const place = useFocusHeir(heir)
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
