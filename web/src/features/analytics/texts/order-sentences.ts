import type { OrderAnalytics, OrderPickups } from '@bancone/contract/analytics'
import type { PriorityReport } from '@bancone/contract/priority-report'
import { formatNumber } from '../../../lib/format.ts'
import { hourText } from './day-texts.ts'
import { countText } from './overview-sentences.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** '12 minuti', '1 ora e 20 minuti', '2 giorni e 3 ore'. @param minutes of waiting */
export function waitText(minutes: number): string {
  const whole = Math.round(minutes)
  if (whole < 1) return 'meno di un minuto'
  if (whole < HOUR) return countText(whole, 'minuto', 'minuti')
  const [big, small] =
    whole < DAY
      ? [
          countText(Math.floor(whole / HOUR), 'ora', 'ore'),
          countText(whole % HOUR, 'minuto', 'minuti'),
        ]
      : [
          countText(Math.floor(whole / DAY), 'giorno', 'giorni'),
          countText(Math.floor((whole % DAY) / HOUR), 'ora', 'ore'),
        ]
  return small.startsWith('0 ') ? big : `${big} e ${small}`
}

/** '12 min', '1 h 20 min', '2 g 3 h'; '–' without a value. */
export function shortWaitText(minutes: number | null): string {
  if (minutes === null) return '–'
  const whole = Math.round(minutes)
  if (whole < 1) return '< 1 min'
  if (whole < HOUR) return `${whole} min`
  const [big, small, rest] =
    whole < DAY
      ? [`${Math.floor(whole / HOUR)} h`, 'min', whole % HOUR]
      : [`${Math.floor(whole / DAY)} g`, 'h', Math.floor((whole % DAY) / HOUR)]
  return rest === 0 ? big : `${big} ${rest} ${small}`
}

/** An hour needs so many confirmed orders to be called the slowest. */
const ENOUGH = 3

/** How long orders waited, and at what hour the longest. */
export function waitsSentence({
  confirmed,
  medianMinutes,
  p90Minutes,
  hours,
}: OrderAnalytics['waits']) {
  if (confirmed === 0 || medianMinutes === null) {
    return 'In questo periodo nessun ordine è stato confermato.'
  }
  const half = `Metà degli ordini è confermata entro ${waitText(medianMinutes)}`
  const most = p90Minutes === null ? '' : `, nove su dieci entro ${waitText(p90Minutes)}`
  const slow = hours
    .filter((hour) => hour.confirmed >= ENOUGH && hour.medianMinutes !== null)
    .toSorted((a, b) => (b.medianMinutes ?? 0) - (a.medianMinutes ?? 0))[0]
  const slowest =
    slow?.medianMinutes && slow.medianMinutes > medianMinutes
      ? `; aspettano di più gli ordini arrivati ${hourText(slow.hour)} (${waitText(slow.medianMinutes)})`
      : ''
  return `${half}${most}${slowest}.`
}

/** How soon orders were ready and collected; without any, how that begins. */
export function pickupsSentence(pickups: OrderPickups): string {
  const { hasBegun, ready, readyMedian, readyP90, collectedMedian, notCollected } = pickups
  if (!hasBegun) {
    return 'Qui vedrai in quanto tempo gli ordini sono pronti e ritirati. Comincia premendo «Pronto» in un ordine; i titolari possono anche scegliere uno stato che lo rende pronto.'
  }
  if (ready === 0 || readyMedian === null) {
    return 'In questo periodo nessun ordine è diventato pronto.'
  }
  const half = `Metà degli ordini è pronta entro ${waitText(readyMedian)}`
  const most = readyP90 === null ? '' : `, nove su dieci entro ${waitText(readyP90)}`
  const collected =
    collectedMedian === null
      ? ''
      : `; una volta pronti, metà di quelli ritirati lo è entro ${waitText(collectedMedian)}`
  const forgotten =
    notCollected === 0
      ? ''
      : ` ${notCollected === 1 ? '1 ordine non è stato ritirato' : `${formatNumber(notCollected)} ordini non sono stati ritirati`}.`
  return `${half}${most}${collected}.${forgotten}`
}

/** How many customers arrived and how long they waited. */
export function arrivalsSentence({ arrivals, called, medianWait }: PriorityReport): string {
  if (arrivals === 0) return 'Nessun cliente ha avvisato di essere in farmacia.'
  const counts = `${countText(arrivals, 'arrivo', 'arrivi')}, ${countText(called, 'chiamato', 'chiamati')}`
  if (medianWait === null) return `${counts}.`
  return `${counts}; metà dei clienti ha aspettato meno di ${waitText(medianWait / 60)}.`
}
