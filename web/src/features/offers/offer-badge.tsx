import { formatPrice } from '@bancone/contract/money'
import type { ShownPrice } from '@bancone/contract/offer-prices'
import { Star, TrendingDown } from 'lucide-react'
import { cn } from '../../ui/class-names.ts'
import { badgeText } from './offer-texts.ts'

const looks = {
  discount: { Icon: TrendingDown, className: 'border-danger-line bg-danger-soft text-danger' },
  featured: {
    Icon: Star,
    className: 'border-bookedToday-line bg-bookedToday-soft text-bookedToday',
  },
}

type OfferBadgeProps = { price: ShownPrice; listPrice: number }

/** The discount of the offer as shown to customers, and its reference price where that is not the list price. */
export function OfferBadge({ price, listPrice }: OfferBadgeProps) {
  const { before } = price
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Badge price={price} />
      {before !== null && before < listPrice ? (
        <span className="text-xs text-muted tabular-nums">su {formatPrice(before)}</span>
      ) : null}
    </span>
  )
}

function Badge({ price }: { price: ShownPrice }) {
  const { Icon, className } = looks[price.type]
  return (
    <span
      data-type={price.type}
      className={cn(
        'inline-flex h-6 items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap tabular-nums',
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {badgeText(price)}
    </span>
  )
}
