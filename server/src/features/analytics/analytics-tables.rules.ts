import type { Analytics, AnalyticsPoint, OrderAnalytics } from '@bancone/contract/analytics'
import {
  arrivalColumns,
  deviceNames,
  exclusionNames,
  hourTexts,
  offerStateNames,
  orderColumns,
  pointNames,
  pointNotes,
  sourceNames,
  viewColumns,
} from '@bancone/contract/analytics-tables'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { dayOf } from '@bancone/contract/dates'
import type { Column } from '../../platform/spreadsheets/columns.ts'

type Cell = string | number | null
type Row = readonly Cell[]

/** A table as a file has it: each row has a cell for each column, null for an empty one. */
export type Table = { columns: Column<Row>[]; rows: Row[] }

type Heading = Pick<Column<Row>, 'label'> & Partial<Pick<Column<Row>, 'kind' | 'width'>>

function tableOf(headings: readonly Heading[], rows: Row[]): Table {
  const columns = headings.map(({ label, kind = 'text', width = 16 }, index) => ({
    label,
    kind,
    width,
    of: (row: Row) => row[index] ?? undefined,
  }))
  return { columns, rows }
}

const headings = (...labels: string[]) => labels.map((label) => ({ label }))

type Point = Pick<AnalyticsPoint, 'at'>

type Times = { heading: Omit<Heading, 'label'>; cells(points: readonly Point[]): string[] }

/** The first column, by what the rows are. */
const times: Record<Analytics['bucket'], Times> = {
  hour: {
    heading: { width: 18 },
    cells: (points) => hourTexts(points).map(({ label, which }) => label + which),
  },
  day: {
    heading: { kind: 'day', width: 12 },
    cells: (points) => points.map(({ at }) => dayOf(Date.parse(at))),
  },
  month: {
    heading: { width: 12 },
    cells: (points) =>
      points.map(({ at }) => {
        const [year, month] = dayOf(Date.parse(at)).split('-')
        return `${month}/${year}`
      }),
  },
}

/** The table of a chart: a row for each point. */
function chartTable(
  { bucket, points }: { bucket: Analytics['bucket']; points: readonly Point[] },
  columns: readonly { name: string; width?: number; values: readonly Cell[] }[],
): Table {
  const { heading, cells } = times[bucket]
  return tableOf(
    [
      { label: pointNames[bucket], ...heading },
      ...columns.map(({ name, width = 18 }) => ({ label: name, width })),
    ],
    cells(points).map((cell, n) => [cell, ...columns.map(({ values }) => values[n] ?? null)]),
  )
}

export function overviewTable(analytics: Analytics): Table {
  const notes = pointNotes(analytics)
  const texts = analytics.points.map((_, n) =>
    notes
      .filter(({ index }) => index === n)
      .map(({ text }) => text)
      .join('; '),
  )
  return chartTable(analytics, [
    ...viewColumns(analytics),
    ...(notes.length > 0 ? [{ name: 'Note', width: 48, values: texts }] : []),
  ])
}

export function ordersTable(analytics: Analytics): Table {
  const columns = orderColumns(analytics)
  const sums = analytics.points.map((_, n) =>
    columns.reduce<number | null>((sum, { values }) => {
      const value = values[n] ?? null
      return value === null ? sum : (sum ?? 0) + value
    }, null),
  )
  return chartTable(analytics, [...columns, { name: 'Totale', values: sums }])
}

/** None for a pharmacy without priority access. */
export function arrivalsTable({ priority }: OrderAnalytics): Table {
  const { bucket, points } = priority ?? { bucket: 'day', points: [] }
  return chartTable({ bucket, points }, arrivalColumns(points))
}

const WEEKDAYS = ['Lunedì', 'Martedì', 'Mercoledì', 'Giovedì', 'Venerdì', 'Sabato', 'Domenica']

const hourName = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Views: a row for each hour of the day, a column for each weekday. */
export function hoursTable({ weekHours }: Traffic): Table {
  return tableOf(
    headings('Ora', ...WEEKDAYS),
    Array.from({ length: 24 }, (_, hour) => [
      hourName(hour),
      ...weekHours.map((hours) => hours[hour] ?? 0),
    ]),
  )
}

/** @returns null when they cannot be read */
export function sharesTable({ sources, devices, excluded }: Traffic): Table | null {
  if (sources === null || devices === null || excluded === null) return null
  return tableOf(
    [{ label: 'Tipo' }, { label: 'Voce', width: 32 }, { label: 'Visualizzazioni' }],
    [
      ...sources.map(({ source, views }) => ['Provenienza', sourceNames[source], views]),
      ...devices.map(({ device, views }) => ['Dispositivo', deviceNames[device], views]),
      ...excluded.map(({ reason, amount }) => ['Escluse', exclusionNames[reason], amount]),
    ],
  )
}

/** @returns null when they cannot be read */
export function offersTable({ offers }: Traffic): Table | null {
  if (offers === null) return null
  return tableOf(
    [
      { label: 'Offerta', width: 48 },
      ...headings('Stato', 'Viste', 'Aperte', 'Tocchi su WhatsApp', 'Ordini con codice'),
    ],
    offers.map((offer) => [
      offer.name ?? 'Offerta eliminata',
      offerStateNames[offer.state],
      offer.seen,
      offer.opened,
      offer.whatsappTaps,
      offer.ordered,
    ]),
  )
}

const minutesOf = (seconds: number | null) => seconds && Math.round(seconds / 60)

export function waitsTable({ waits, priority }: OrderAnalytics): Table {
  const ofOrders = ['Ora', 'Ordini confermati', 'Attesa mediana (minuti)']
  const ofArrivals = ['Arrivi', 'Attesa mediana agli arrivi (minuti)']
  return tableOf(
    headings(...ofOrders, ...(priority ? ofArrivals : [])).map((each) => ({ ...each, width: 24 })),
    waits.hours.map(({ hour, confirmed, medianMinutes }) => {
      const arrived = priority?.hours.find((each) => each.hour === hour)
      return [
        hourName(hour),
        confirmed,
        medianMinutes,
        ...(arrived ? [arrived.arrivals, minutesOf(arrived.medianWait)] : []),
      ]
    }),
  )
}

/** A row for each weekday on which orders became ready. */
export function pickupsTable({ pickups }: OrderAnalytics): Table {
  const minutes = (name: string) => [
    `${name}, mediana (minuti)`,
    `${name}, 90° percentile (minuti)`,
  ]
  const labels = [
    'Giorno',
    'Ordini pronti',
    ...minutes("Dall'ordine a pronto"),
    'Ritirati',
    ...minutes('Da pronto a ritirato'),
    'Non ritirati',
  ]
  return tableOf(
    headings(...labels).map((each) => ({ ...each, width: 24 })),
    pickups.weekdays.map((of, n) => [
      WEEKDAYS[n] ?? '',
      of.ready,
      of.readyMedian,
      of.readyP90,
      of.collected,
      of.collectedMedian,
      of.collectedP90,
      of.notCollected,
    ]),
  )
}
