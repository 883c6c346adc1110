import type { Analytics } from '@bancone/contract/analytics'
import { runningPoint } from '@bancone/contract/analytics-tables'
import type { Day } from '@bancone/contract/dates'
import { formatNumber, formatTime } from '../../../lib/format.ts'
import type { OfPeriod } from '../use-analytics.ts'
import { bucketTexts, capital, rangeText } from './day-texts.ts'
import { changeText, comparisons, percentText } from './percent-texts.ts'

const bestOf = {
  hour: "l'ora migliore è stata quella delle",
  day: 'il giorno migliore è stato',
  month: 'il mese migliore è stato',
} as const

/** '1 ordine', '12 ordini'. */
export function countText(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** 'Oggi fino alle 10:32', 'Da lunedì 16 a domenica 22 novembre'. */
function beginning({ data, period }: OfPeriod<Analytics>, today: Day): string {
  const range = capital(rangeText(period, today))
  const isToday = period.dal === today && period.al === today
  return isToday ? `${range} fino alle ${formatTime(data.updatedAt)}` : range
}

/** The bucket with the most, named; null where all are empty or there is only one. */
function best(data: Analytics, value: (point: Analytics['points'][number]) => number) {
  const most = Math.max(0, ...data.points.map(value))
  const index = data.points.findIndex((point) => value(point) === most)
  const text = bucketTexts(data)[index]
  if (most === 0 || data.points.length < 2 || !text) return null
  const name = data.bucket === 'hour' ? text.longLabel.replace(/^ore /, '') : text.longLabel
  return `${bestOf[data.bucket]} ${name}`
}

/** Sums up the views of a period, what they are compared with, and the best time. */
export function viewsSentence(shown: OfPeriod<Analytics>, today: Day): string {
  const { data, period } = shown
  const { totalPageViews: views } = data.summary
  if (views === 0) return `${beginning(shown, today)}: nessuna visualizzazione.`
  const count = countText(views, 'visualizzazione', 'visualizzazioni')
  const texts = comparisons[period.confronto]
  const change = changeText(views, data.previous?.totalPageViews, texts, 'nessuna')
  const found = best(data, (point) => point.views)
  return `${beginning(shown, today)}: ${[change === null ? count : `${count}, ${change}`, found]
    .filter(Boolean)
    .join('; ')}.${unfinished(data)}`
}

/** Why the last point of days or months is low. */
function unfinished(data: Analytics): string {
  return data.bucket === 'hour' || runningPoint(data) === -1 ? '' : ' Oggi non è ancora finito.'
}

/** Sums up the orders of a period by their status. */
export function ordersSentence(shown: OfPeriod<Analytics>, today: Day): string {
  const { data, period } = shown
  const { totalOrders, completedOrders, cancelledOrders, completionRate } = data.summary
  if (data.ordersFailed) return `${beginning(shown, today)}: gli ordini non si possono leggere.`
  if (totalOrders === 0) return `${beginning(shown, today)}: nessun ordine.`
  const texts = comparisons[period.confronto]
  const change = changeText(totalOrders, data.previous?.totalOrders, texts, 'nessuno')
  const count = countText(totalOrders, 'ordine', 'ordini')
  const completed = `${countText(completedOrders, 'completato', 'completati')} (${percentText(completionRate)})`
  const cancelled =
    cancelledOrders === 0
      ? 'nessuno annullato'
      : countText(cancelledOrders, 'annullato', 'annullati')
  return `${beginning(shown, today)}: ${change === null ? count : `${count}, ${change}`}; ${completed}, ${cancelled}.`
}
