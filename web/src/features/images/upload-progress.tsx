import type { RefObject } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import type { ImageWork } from './use-image-upload.ts'

type Working = Exclude<ImageWork, { state: 'idle' | 'failed' }>

type UploadProgressProps = {
  work: Working
  onCancel: () => void
  /** Gets the focus after 'Annulla', which disappears. */
  focusFallback: RefObject<HTMLElement | null>
}

const stages: Record<Working['state'], string> = {
  preparing: 'Preparazione…',
  sending: 'Caricamento in corso…',
  drawing: 'Elaborazione…',
  fetching: "Recupero dell'immagine…",
}

/** Progress of an upload: in percent while it is sent, indeterminate before and after. */
export function UploadProgress({ work, onCancel, focusFallback }: UploadProgressProps) {
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
      <Button onClick={onCancel}>Annulla</Button>
    </div>
  )
}
