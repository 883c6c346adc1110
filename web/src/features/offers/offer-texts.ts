import { addDays, Day, formatShortDay } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import type { ListedState, StateCounts } from './offer-lists.ts'

/** Formats a day; says so when it is invalid. */
export function shownDay(day: string | null | undefined): string {
  if (!day) return 'N/D'
  return Day.safeParse(day).success ? formatShortDay(day) : 'Data non valida'
}

/** Formats the end of a period. */
export function shownEnd(day: string | undefined): string {
  return day === undefined ? 'Nessuna scadenza' : `A ${shownDay(day)}`
}

/** Days before the end from which on a hint is shown. */
const SOON_DAYS = 3

/** Hint that a published offer ends soon; null when it does not. */
export function endsSoon({ fields }: OfferRecord, state: ListedState, today: Day): string | null {
  const end = fields.Data_Fine
  if (state !== 'active' || end === undefined) return null
  if (end === today) return 'Scade oggi'
  if (end === addDays(today, 1)) return 'Scade domani'
  for (let days = 2; days <= SOON_DAYS; days += 1) {
    if (end === addDays(today, days)) return `Scade tra ${days} giorni`
  }
  return null
}

/** 'Nessuna offerta', '1 offerta', '7 offerte'. */
export function offerCount(count: number): string {
  if (count === 0) return 'nessuna offerta'
  return count === 1 ? '1 offerta' : `${count} offerte`
}

/** How many of the active offers customers do not see today, and why; null when they see all. */
export function unshownText({ on, scheduled, expired, refused }: StateCounts): string | null {
  const parts = [
    scheduled === 0 ? null : scheduled === 1 ? '1 è programmata' : `${scheduled} sono programmate`,
    expired === 0 ? null : expired === 1 ? '1 è scaduta' : `${expired} sono scadute`,
    refused === 0
      ? null
      : refused === 1
        ? '1 non si può pubblicare'
        : `${refused} non si possono pubblicare`,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  const [first = ''] = parts
  return on === 1 ? `L’unica attiva ${first.slice(2)}` : `Delle ${on} attive, ${andList(parts)}`
}

/** 'a', 'a e b', 'a, b e c'. */
function andList(parts: readonly string[]): string {
  return new Intl.ListFormat('it', { type: 'conjunction' }).format(parts)
}
