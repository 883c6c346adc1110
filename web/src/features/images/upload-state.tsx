import { type RefObject, useEffect } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import type { ImageWork } from './use-image-upload.ts'

type Failed = Extract<ImageWork, { state: 'failed' }>
type Working = Exclude<ImageWork, { state: 'idle' | 'failed' }>

type UploadProps<Work = ImageWork> = {
  work: Work
  /** Cancels the upload, or closes its failure. */
  stop: () => void
  /** Gets the focus of buttons that disappear. */
  focusFallback: RefObject<HTMLElement | null>
}

/** The progress of an upload, or why it has failed. */
export function UploadState({ work, ...props }: UploadProps) {
  if (work.state === 'idle') return null
  if (work.state === 'failed') return <UploadFailure work={work} {...props} />
  return <UploadProgress work={work} {...props} />
}

function UploadFailure({ work, stop, focusFallback }: UploadProps<Failed>) {
  const { failure, again } = work
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
      <Button size="small" onClick={stop}>
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

const stages: Record<Working['state'], string> = {
  preparing: 'Preparazione…',
  sending: 'Caricamento in corso…',
  drawing: 'Elaborazione…',
  fetching: "Recupero dell'immagine…",
}

/** Progress of an upload: in percent while it is sent, indeterminate before and after. */
function UploadProgress({ work, stop, focusFallback }: UploadProps<Working>) {
  const place = useFocusFallback(focusFallback)
  const percent = work.state === 'sending' ? work.percent : null
  return (
    <div ref={place} className="flex items-center gap-3">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex justify-between gap-3 text-sm tabular-nums">
          {/* Announced when the stage changes, not at every percent. */}
          <span role="status">{stages[work.state]}</span>
          {percent === null ? null : <span aria-hidden>{percent}%</span>}
        </p>
        <div
          role="progressbar"
          aria-label="Caricamento dell'immagine"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? undefined}
          aria-valuetext={percent === null ? stages[work.state] : undefined}
          className="h-2 overflow-hidden rounded-full bg-line"
        >
          <div
            className={cn(
              'h-full rounded-full bg-accent transition-[width] duration-150',
              percent === null && 'animate-pulse opacity-70',
            )}
            style={{ width: `${percent ?? 100}%` }}
          />
        </div>
      </div>
      <Button onClick={stop}>Annulla</Button>
    </div>
  )
}
