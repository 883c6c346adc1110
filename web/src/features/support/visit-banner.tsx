import type { SupportVisit } from '@bancone/contract/support-visits'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { useEndVisit } from './use-visit.ts'

type VisitBannerProps = {
  visit: SupportVisit
  /** Milliseconds since 1970. */
  endsAt: number
}

/** Says whose pages these are, how long they can be seen, and ends the visit. */
export function VisitBanner({ visit, endsAt }: VisitBannerProps) {
  const end = useEndVisit()
  const { busy, failure, run } = useAction()
  return (
    <section
      aria-label="Visita di assistenza"
      className="sticky top-14 z-20 -mx-4 border-b border-pending-line bg-pending-soft px-4 py-1.5 text-sm text-pending lg:-mx-6 lg:px-6"
    >
      <div className="flex items-center gap-x-3">
        <Eye aria-hidden className="size-4.5 shrink-0" />
        <p className="min-w-0 flex-1 leading-snug wrap-anywhere">
          Vedi <strong className="font-medium">{visit.pharmacyName}</strong> in sola lettura
          <TimeLeft endsAt={endsAt} />
        </p>
        {/* Not 'Esci' alone: the button above it, which ends the session, is called so. */}
        <Button inactive={busy} onClick={() => run(() => end(visit.id))}>
          Esci dalla visita
        </Button>
      </div>
      <FailureAlert failure={failure} />
    </section>
  )
}

function TimeLeft({ endsAt }: { endsAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <span role="timer" aria-label={`Tempo rimasto: ${text}`} className="tabular-nums">
      {' · '}
      {text}
    </span>
  )
}
