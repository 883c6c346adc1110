import { Megaphone } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'

type ArrivalsBarProps = {
  /** Arrivals that no operator has acknowledged. */
  count: number
  busy: boolean
  /** Null where the customers are on the screen already. */
  onShow: (() => void) | null
  onAcknowledge: () => void
}

/** Announces customers on every page until an operator acknowledges their arrival. */
export function ArrivalsBar({ count, busy, onShow, onAcknowledge }: ArrivalsBarProps) {
  return (
    <div role="status" className="print:hidden">
      {count > 0 ? (
        <div className="flex animate-fade-in flex-wrap items-center gap-2 rounded-card border border-accent bg-surface p-2.5 shadow-float">
          <p className="flex flex-1 items-center gap-2 px-1 font-medium whitespace-nowrap">
            <Megaphone aria-hidden className="size-4.5 shrink-0 text-accent" />
            {count === 1 ? 'È arrivato un cliente' : `Sono arrivati ${formatNumber(count)} clienti`}
          </p>
          <div className="flex gap-2 max-sm:grow max-sm:*:grow">
            {onShow ? <Button onClick={onShow}>Visualizza</Button> : null}
            <Button look="primary" inactive={busy} onClick={onAcknowledge}>
              Ho visto
            </Button>
          </div>
        </div>
      ) : null}
    </div>
  )
}
