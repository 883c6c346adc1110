import type { ShownPrice } from '@bancone/contract/offer-prices'
import { cn } from '../../ui/class-names.ts'
import { badgeText } from './offer-texts.ts'

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
