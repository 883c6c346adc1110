import { addDays, Day, shortDay } from '@bancone/contract/dates'
import type { ShownPrice } from '@bancone/contract/offer-prices'
import type { OfferRecord, OfferState } from '@bancone/contract/offers'

/** A day as it is shown; what is no day says so. */
export function shownDay(day: string | null | undefined): string {
  if (!day) return 'N/D'
  return Day.safeParse(day).success ? shortDay(day) : 'Data non valida'
}

/** The end of a period as it is shown. */
export function shownEnd(day: string | undefined): string {
  return day === undefined ? 'Nessuna scadenza' : `A ${shownDay(day)}`
}

/** So many days before it ends it is said. */
const SOON_DAYS = 3

/** That an offer which is shown will soon not be; null where there is nothing to say. */
export function endsSoon({ fields }: OfferRecord, state: OfferState, today: Day): string | null {
  const end = fields.Data_Fine
  if (state !== 'active' || end === undefined) return null
  if (end === today) return 'Scade oggi'
  if (end === addDays(today, 1)) return 'Scade domani'
  for (let days = 2; days <= SOON_DAYS; days += 1) {
    if (end === addDays(today, days)) return `Scade tra ${days} giorni`
  }
  return null
}

/** What the badge of an offer says. */
export function badgeText({ type, percent }: ShownPrice): string {
  if (type === 'featured') return 'In Evidenza'
  // Less than half a percent is a discount all the same.
  return percent > 0 ? `-${percent}%` : 'Offerta'
}

/** 'Nessuna offerta', '1 offerta', '7 offerte'. */
export function offerCount(count: number): string {
  if (count === 0) return 'nessuna offerta'
  return count === 1 ? '1 offerta' : `${count} offerte`
}

/** Of those that are switched on, how many are not shown today, and why; null where all are. */
export function unshownText(scheduled: number, expired: number): string | null {
  const parts = [
    scheduled === 0 ? null : scheduled === 1 ? '1 è programmata' : `${scheduled} sono programmate`,
    expired === 0 ? null : expired === 1 ? '1 è scaduta' : `${expired} sono scadute`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : `Delle offerte attive, ${parts.join(' e ')}: non sono qui.`
}
