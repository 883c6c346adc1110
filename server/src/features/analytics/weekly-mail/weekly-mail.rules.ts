import type { Analytics, AnalyticsPoint, OrderAnalytics } from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { addDays, type Day, dayOf, formatShortDay } from '@bancone/contract/dates'
import { romeOffset } from '../../../platform/rome-time.ts'

export type WeekFigures = {
  overview: Pick<Analytics, 'points' | 'previousPoints' | 'summary' | 'previous' | 'ordersFailed'>
  traffic: Pick<Traffic, 'weekHours' | 'sources' | 'offers'>
  waits: OrderAnalytics['waits']
  /** Offers that customers see at the moment. */
  activeOffers: number
}

/** The number of orders to be collected at the moment, and of the overdue ones among them. */
export type OrdersToCollect = { toCollect: number; overdue: number }

const WEEKDAYS = ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì', 'sabato', 'domenica']

/** The week before the one of a day: Monday to Sunday. */
export function weekBefore(day: Day): { dal: Day; al: Day } {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  const monday = addDays(day, -sinceMonday - 7)
  return { dal: monday, al: addDays(monday, 6) }
}

/** Whether the mail is sent on the day of `now`, and in how many seconds: on Mondays at 07:30 in Rome. */
export function secondsToSending(now: number): number | null {
  const day = dayOf(now)
  if (new Date(day).getUTCDay() !== 1) return null
  const shown = Date.parse(`${day}T07:30:00Z`)
  return Math.max(0, Math.round((shown - romeOffset(now) - now) / 1000))
}

/** Three sentences that compare the week with the one before. */
export function weekSentences({ overview, traffic }: WeekFigures): string[] {
  const { points, previousPoints, summary, previous, ordersFailed } = overview
  const views = counted(summary.totalPageViews, 'visualizzazione', 'visualizzazioni')
  const pageViews = `La pagina delle offerte ha avuto ${views}${compared(summary.totalPageViews, previous?.totalPageViews)}.`
  const orders = ordersFailed
    ? 'Gli ordini non si sono potuti leggere: li trovi nella pagina delle statistiche.'
    : `${summary.totalOrders === 1 ? 'È arrivato' : 'Sono arrivati'} ${counted(summary.totalOrders, 'ordine', 'ordini')}${compared(summary.totalOrders, previous?.totalOrders)}.`
  return [pageViews, orders, bestSentence(points, previousPoints, traffic.weekHours)]
}

/** What is not there is not counted. @param dashboard the address of the list of orders */
export function collectionLinks({ toCollect, overdue }: OrdersToCollect, dashboard: string) {
  return [
    { name: 'Da ritirare', orders: toCollect, filter: 'si' },
    { name: 'Non ritirati', orders: overdue, filter: 'scaduti' },
  ]
    .filter(({ orders }) => orders > 0)
    .map(({ name, orders, filter }) => ({
      label: `${name}: ${counted(orders, 'ordine', 'ordini')}`,
      link: `${dashboard}?ritiro=${filter}`,
    }))
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

function compared(now: number, before: number | null | undefined): string {
  if (before === null || before === undefined) return ''
  if (now === before) return ', come la settimana prima'
  const difference = Math.abs(now - before)
  const direction = now > before ? 'in più' : 'in meno'
  return `, ${difference} ${direction} della settimana prima (${before})`
}

function bestSentence(
  points: readonly AnalyticsPoint[],
  previousPoints: Analytics['previousPoints'],
  weekHours: Traffic['weekHours'],
): string {
  const day = indexOfMost(points.map(({ views }) => views))
  if (day === null) return 'In nessun giorno ci sono state visualizzazioni.'
  const hour = indexOfMost(hourTotals(weekHours))
  const before = indexOfMost(previousPoints.map(({ views }) => views))
  const ofBefore = before === null ? '' : `; la settimana prima era stato ${WEEKDAYS[before]}`
  const atHour = hour === null ? '' : `, e l’ora migliore quella tra le ${hour} e le ${hour + 1}`
  return `Il giorno con più visualizzazioni è stato ${WEEKDAYS[day]} (${points[day]?.views})${ofBefore}${atHour}.`
}

const hourTotals = (weekHours: Traffic['weekHours']) =>
  Array.from({ length: 24 }, (_, hour) =>
    weekHours.reduce((all, hours) => all + (hours[hour] ?? 0), 0),
  )

/** Null where all are zero. */
function indexOfMost(values: readonly number[]): number | null {
  const most = Math.max(0, ...values)
  return most === 0 ? null : values.indexOf(most)
}

/** Orders of an hour below which its waits say little. */
const MIN_WAITS = 3
const LONG_WAIT_MINUTES = 60
const MIN_OPENED = 20
/** Taps on WhatsApp for each hundred times that an offer was opened. */
const FEW_TAPS = 5

/** What the pharmacy could do next, by the first of the rules that applies. Without names of offers. */
export function suggestionOf(week: WeekFigures): string {
  const { traffic, waits, activeOffers } = week
  // What cannot be read suggests nothing.
  const offers = traffic.offers ?? []
  if (activeOffers === 0) {
    return 'Non hai offerte attive: chi apre la pagina non trova nulla. Pubblicane almeno una.'
  }
  const lost = offers.filter(({ lostPicture, state }) => lostPicture && state === 'active')
  if (lost.length > 0) {
    return lost.length === 1
      ? 'Un’offerta attiva ha perso la sua immagine: caricane un’altra.'
      : `${lost.length} offerte attive hanno perso la loro immagine: caricane altre.`
  }
  const slow = waits.hours
    .filter(({ confirmed }) => confirmed >= MIN_WAITS)
    .toSorted((one, other) => (other.medianMinutes ?? 0) - (one.medianMinutes ?? 0))[0]
  if (slow?.medianMinutes && slow.medianMinutes >= LONG_WAIT_MINUTES) {
    return `Gli ordini che arrivano tra le ${slow.hour} e le ${slow.hour + 1} aspettano la conferma ${slow.medianMinutes} minuti: scegli chi li guarda in quell’ora.`
  }
  const opened = offers.toSorted((one, other) => other.opened - one.opened)[0]
  if (
    opened &&
    opened.opened >= MIN_OPENED &&
    rate(opened.whatsappTaps, opened.opened) < FEW_TAPS
  ) {
    return `L’offerta più aperta è stata guardata ${opened.opened} volte, ma ${opened.whatsappTaps === 0 ? 'nessuno l’ha' : 'quasi nessuno l’ha'} ordinata su WhatsApp: controlla prezzo, immagine e descrizione.`
  }
  if (traffic.sources?.every(({ source }) => source !== 'flyer' && source !== 'poster')) {
    return 'Nessuna visita è arrivata da un codice QR: stampa la locandina delle offerte e mettila al banco.'
  }
  const day = indexOfMost(week.overview.points.map(({ views }) => views))
  return day === null
    ? 'Condividi il link delle offerte con i tuoi clienti, per esempio nello stato di WhatsApp.'
    : `Pubblica la prossima offerta di ${WEEKDAYS[day]}, quando la pagina è più visitata.`
}

/** The views of each day in words. */
export function chartText({ points }: WeekFigures['overview']): string {
  const days = points.map(({ views }, n) => `${WEEKDAYS[n]} ${views}`)
  return `Visualizzazioni: ${days.join(', ')}.`
}

export const weekTitle = ({ dal, al }: { dal: Day; al: Day }) =>
  `La settimana dal ${formatShortDay(dal)} al ${formatShortDay(al)}`

const WIDTH = 960
const HEIGHT = 280
const GAP = 24

/**
 * A bar for the views of each day, beside a lighter one for the same day of the week before, as an SVG document without
 * texts.
 */
export function chartSvg({ points, previousPoints }: WeekFigures['overview']): string {
  const pairs = points.map(({ views }, n) => [previousPoints[n]?.views ?? 0, views] as const)
  const most = Math.max(1, ...pairs.flat())
  const step = WIDTH / pairs.length
  const width = (step - GAP) / 2
  const bar = (x: number, value: number, color: string) => {
    const height = Math.round((value / most) * (HEIGHT - 8))
    return `<rect x="${x.toFixed(1)}" y="${HEIGHT - height}" width="${width.toFixed(1)}" height="${height}" fill="${color}"/>`
  }
  const bars = pairs.map(([before, views], n) => {
    const x = n * step + GAP / 2
    return bar(x, before, '#b9d8c8') + bar(x + width, views, '#0b7a4b')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>${bars.join('')}</svg>`
}

export const chartSize = { width: WIDTH / 2, height: HEIGHT / 2 } as const
