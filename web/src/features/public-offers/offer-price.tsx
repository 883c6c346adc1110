import { formatShortDay } from '@bancone/contract/dates'
import { formatPrice } from '@bancone/contract/money'
import type { ShownPrice } from '@bancone/contract/offer-prices'
import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import { badgeText, priorText } from '../../lib/shown-prices.ts'
import { cn } from '../../ui/class-names.ts'

/** Red for reductions, blue for featured offers. */
export function OfferBadge({ shown, className }: { shown: ShownPrice; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center rounded-full border border-transparent px-2.5 py-0.5 text-sm font-medium whitespace-nowrap text-surface tabular-nums',
        shown.type === 'discount' ? 'bg-danger' : 'bg-bookedToday',
        className,
      )}
    >
      {badgeText(shown)}
    </span>
  )
}

/** Offer price, struck-out price and last day. */
export function OfferPrice({ offer, large = false }: { offer: PublicOffer; large?: boolean }) {
  const { type, cents, before } = publicPrice(offer)
  const end = endText(offer)
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
        <span
          className={cn('font-medium tracking-tight', large ? 'text-3xl' : 'text-xl md:text-2xl')}
        >
          {formatPrice(cents)}
        </span>
        {before === null ? null : (
          <s className={cn('text-muted', large ? 'text-lg' : 'text-sm md:text-base')}>
            <span className="sr-only">Prima: </span>
            {formatPrice(before)}
          </s>
        )}
      </p>
      {type === 'discount' && offer.prior ? (
        <p className={cn('text-pretty text-muted', large ? 'text-sm' : 'text-xs')}>
          {priorText(offer.prior)}
        </p>
      ) : null}
      {end === null ? null : (
        <p className={cn('text-muted', large ? 'text-sm' : 'text-xs')}>{end}</p>
      )}
    </div>
  )
}

function endText({ fields }: PublicOffer): string | null {
  return fields.Data_Fine === undefined
    ? null
    : `Valida fino al ${formatShortDay(fields.Data_Fine)}`
}
