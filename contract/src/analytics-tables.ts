import type {
  Analytics,
  AnalyticsPoint,
  ArrivalPoint,
  Comparison,
  ExclusionReason,
  PageViewDevice,
  PageViewSource,
} from './analytics.ts'
import type { OfferFunnel } from './analytics-traffic.ts'
import { dayOf, ROME } from './dates.ts'

/** What a point of a table is called. */
export const pointNames: Record<Analytics['bucket'], string> = {
  hour: 'Ora',
  day: 'Giorno',
  month: 'Mese',
}

/** What the figures of the compared period are called. */
export const comparisonNames: Record<Comparison, string> = {
  precedente: 'Periodo precedente',
  anno: 'Un anno prima',
}

export const sourceNames: Record<PageViewSource, string> = {
  flyer: 'Volantino',
  poster: 'QR della locandina',
  link: 'Link copiato da te',
  share: 'Condivisa da un cliente',
  whatsapp: 'WhatsApp',
  social: 'Social network',
  search: 'Motori di ricerca',
  site: 'Altri siti',
  direct: 'Indirizzo diretto',
}

export const deviceNames: Record<PageViewDevice, string> = {
  phone: 'Telefono',
  tablet: 'Tablet',
  computer: 'Computer',
}

export const exclusionNames: Record<ExclusionReason, string> = {
  bot: 'Programmi',
  preview: 'Anteprime',
  staff: 'Personale',
  privacy: 'Richieste di privacy',
  limit: 'Troppe richieste',
}

export const offerStateNames: Record<OfferFunnel['state'], string> = {
  active: 'Attiva',
  planned: 'Programmata',
  ended: 'Scaduta',
  inactive: 'Inattiva',
  gone: 'Eliminata',
}

const romeHour = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  hour: '2-digit',
  minute: '2-digit',
})

/** '02:00' for each hour. Of an hour that the end of summer time repeats, `which` says which one it is. */
export function hourTexts(points: readonly { at: string }[]): { label: string; which: string }[] {
  const labels = points.map(({ at }) => romeHour.format(Date.parse(at)))
  return labels.map((label, i) => {
    const isAt = (other: number) => labels[other] === label
    const which = isAt(i + 1) ? ', ora legale' : isAt(i - 1) ? ', ora solare' : ''
    return { label, which }
  })
}

/** A value for each point; null where it is unknown. */
export type AnalyticsColumn = {
  name: string
  isPrevious?: boolean
  values: readonly (number | null)[]
}

/** Null for what is still to come. */
function known(
  { points, updatedAt }: Analytics,
  value: (point: AnalyticsPoint) => number | null,
): (number | null)[] {
  const now = Date.parse(updatedAt)
  return points.map((point) => (Date.parse(point.at) > now ? null : value(point)))
}

/** Views, visitors where they are known, and the views of the compared period, paired by their position. */
export function viewColumns(analytics: Analytics): AnalyticsColumn[] {
  const { bucket, period, previous, previousPoints } = analytics
  const columns: AnalyticsColumn[] = [
    { name: 'Visualizzazioni', values: known(analytics, ({ views }) => views) },
  ]
  if (bucket === 'day') {
    const values = known(analytics, ({ uniqueVisitors }) => uniqueVisitors)
    columns.push({ name: 'Visitatori', values })
  }
  if (previous !== null && previous.totalPageViews !== null) {
    const values = previousPoints.map(({ views }) => views)
    columns.push({ name: comparisonNames[period.confronto], isPrevious: true, values })
  }
  return columns
}

/** Orders by their status. The booked ones are among the completed ones, and shown apart from them. */
export function orderColumns(analytics: Analytics): AnalyticsColumn[] {
  return [
    {
      name: 'Confermati',
      values: known(analytics, ({ completed, processing }) => completed - processing),
    },
    { name: 'Prenotati', values: known(analytics, ({ processing }) => processing) },
    { name: 'In attesa', values: known(analytics, ({ pending }) => pending) },
    { name: 'Annullati', values: known(analytics, ({ cancelled }) => cancelled) },
  ]
}

/** Arrivals with priority access, and how many of them were called or not there. */
export function arrivalColumns(points: readonly ArrivalPoint[]): AnalyticsColumn[] {
  return [
    { name: 'Arrivi', values: points.map(({ arrivals }) => arrivals) },
    { name: 'Chiamati', values: points.map(({ called }) => called) },
    { name: 'Non presenti', values: points.map(({ noShows }) => noShows) },
  ]
}

/** Index of the point whose time has not ended yet; -1 where the period ends before today. */
export function runningPoint({
  points,
  period,
  updatedAt,
}: Pick<Analytics, 'period' | 'updatedAt'> & { points: readonly { at: string }[] }): number {
  if (period.al < dayOf(Date.parse(updatedAt))) return -1
  return points.findLastIndex(({ at }) => Date.parse(at) <= Date.parse(updatedAt))
}

/** The notes at the points of their days; none on a single day, whose points are hours. */
export function pointNotes({
  bucket,
  notes,
  points,
}: Analytics): { index: number; text: string }[] {
  if (bucket === 'hour') return []
  const length = bucket === 'day' ? 10 : 7
  const starts = points.map(({ at }) => dayOf(new Date(at)).slice(0, length))
  return notes.flatMap(({ day, text }) => {
    const index = starts.indexOf(day.slice(0, length))
    return index === -1 ? [] : [{ index, text }]
  })
}
