import { addDays, dayOf, formatShortDay, ROME } from '@bancone/contract/dates'
import type { Closing, OpeningSpan } from '@bancone/contract/opening-hours'
import { type OpeningState, timeToCome } from '@bancone/contract/opening-state'

const clock = new Intl.DateTimeFormat('it-IT', { timeZone: ROME, timeStyle: 'short' })

/** `Aperto ora · chiude alle 19:30`, `Chiuso · apre domani alle 08:30`. @param now milliseconds since 1970 */
export function openingText({ isOpen, changesAt }: OpeningState, now: number): string {
  if (changesAt === null) return isOpen ? 'Aperto ora' : 'Chiuso'
  if (isOpen) {
    const isSoon = dayOf(changesAt) <= addDays(dayOf(now), 1)
    return isSoon ? `Aperto ora · chiude alle ${clock.format(changesAt)}` : 'Aperto ora'
  }
  return `Chiuso · apre ${timeToCome(changesAt, now)}`
}

/** `08:30–12:30`, `24 ore su 24`. */
export function spanText({ from, to }: OpeningSpan): string {
  return from === to && from === '00:00' ? '24 ore su 24' : `${from}–${to}`
}

/** `08:30–12:30, 15:30–19:30`, `Chiuso`. */
export function spansText(spans: readonly OpeningSpan[]): string {
  return spans.length === 0 ? 'Chiuso' : spans.map(spanText).join(', ')
}

/** `Dal 10/08/2026 al 23/08/2026: Ferie`. */
export function closingText({ from, to, note }: Closing): string {
  const days =
    from === to ? formatShortDay(from) : `Dal ${formatShortDay(from)} al ${formatShortDay(to)}`
  return note === '' ? days : `${days}: ${note}`
}
