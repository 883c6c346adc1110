import { type RefObject, useEffect } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import type { ImageFailure } from './image-failure.ts'

type UploadFailureProps = {
  failure: ImageFailure
  /** Uploads the same file again; null when that is useless. */
  again: (() => void) | null
  onClose: () => void
  focusFallback: RefObject<HTMLElement | null>
}

export function UploadFailure({ failure, again, onClose, focusFallback }: UploadFailureProps) {
  const place = useFocusFallback(focusFallback)
  useEffect(() => {
    // Some browsers return a promise, which is no cleanup of the effect.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [place])
  const actions = (
    <div className="flex gap-2">
      {again ? (
        <Button size="small" onClick={again}>
          Riprova
        </Button>
      ) : null}
      <Button size="small" onClick={onClose}>
        <span>
          Chiudi<span className="sr-only"> l'avviso</span>
        </span>
      </Button>
    </div>
  )
  return (
    // Clear of the bar with the buttons of a form.
    <div ref={place} className="scroll-mt-20 scroll-mb-36">
      <Alert tone="error" action={actions}>
        <p className="font-medium">{failure.title}</p>
        <p>{failure.text}</p>
        {failure.more === null ? null : <p>{failure.more}</p>}
      </Alert>
    </div>
  )
}
