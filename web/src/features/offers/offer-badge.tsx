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

/** Whether the offer is a discount, and of how much, as customers are told. */
export function OfferBadge({ price }: { price: ShownPrice }) {
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
