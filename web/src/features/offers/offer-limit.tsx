import { cn } from '../../ui/class-names.ts'

/** Share of the limit from which on it is highlighted. */
const NEAR = 0.8

function note(active: number, most: number | null): string | null {
  if (most === null) return null
  if (active >= most) return "Hai raggiunto il massimo: per attivarne un'altra disattivane una."
  if (active < most * NEAR) return null
  const left = most - active
  return left === 1 ? 'Ne puoi attivare ancora 1.' : `Ne puoi attivare ancora ${left}.`
}

type OfferLimitProps = {
  /** Number of offers that count towards the limit. */
  active: number
  /** Active offers that are over, and do not count. */
  expired: number
  /** Null for any number. */
  most: number | null
}

/** Number of offers that count towards the limit, and the limit. */
export function OfferLimit({ active, expired, most }: OfferLimitProps) {
  const words = note(active, most)
  const without =
    expired === 0 ? '' : expired === 1 ? ', senza quella scaduta' : `, senza le ${expired} scadute`
  if (most === null) {
    const count = active === 1 ? '1 offerta attiva' : `${active} offerte attive`
    return <p className="text-sm font-medium tabular-nums">{`${count}${without}`}</p>
  }
  const share = most === 0 ? 100 : Math.min(100, (active / most) * 100)
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
        <span className="font-medium">{`${active} di ${most} offerte attive${without}`}</span>
        {words === null ? null : <span className="text-muted">{words}</span>}
      </p>
      <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-line">
        <span
          className={cn(
            'block h-full rounded-full',
            active >= most ? 'bg-danger' : words === null ? 'bg-accent' : 'bg-pending',
          )}
          style={{ width: `${share}%` }}
        />
      </span>
    </div>
  )
}
