import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { Clock } from 'lucide-react'
import { stateOf } from './offer-lists.ts'
import { endsSoon, shownDay, shownEnd } from './offer-texts.ts'

/** First and last day, and a hint when the end is near. */
export function OfferPeriod({ offer, today }: { offer: OfferRecord; today: Day }) {
  const { fields } = offer
  const soon = endsSoon(offer, stateOf(offer, today), today)
  return (
    <span className="inline-flex flex-wrap gap-x-2 leading-snug tabular-nums">
      <span className="whitespace-nowrap">Da {shownDay(fields.Data_Inizio)}</span>
      <span className="whitespace-nowrap">{shownEnd(fields.Data_Fine)}</span>
      {soon === null ? null : (
        <span className="inline-flex items-center gap-1 text-xs font-medium whitespace-nowrap text-pending">
          <Clock aria-hidden className="size-3.5 shrink-0" />
          {soon}
        </span>
      )}
    </span>
  )
}
