import { formatPrice } from '@bancone/contract/money'
import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import { cn } from '../../ui/class-names.ts'
import { endText, priorText } from './offer-texts.ts'

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
