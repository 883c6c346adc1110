import type {
  Analytics,
  AnalyticsPoint,
  ExclusionReason,
  OrderAnalytics,
  VisitDevice,
  VisitSource,
} from '@bancone/contract/analytics'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
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

type Time = { heading: Heading; cell(point: AnalyticsPoint): string }

/** The first column, by what the rows are. */
const times: Record<Analytics['bucket'], Time> = {
  hour: { heading: { label: 'Ora', kind: 'time', width: 17 }, cell: ({ at }) => at },
  day: {
    heading: { label: 'Giorno', kind: 'day', width: 12 },
    cell: ({ at }) => dayOf(Date.parse(at)),
  },
  month: {
    heading: { label: 'Mese', kind: 'text', width: 12 },
    cell({ at }) {
      const [year, month] = dayOf(Date.parse(at)).split('-')
      return `${month}/${year}`
    },
  },
}

export function overviewTable({ bucket, points }: Analytics): Table {
  const { heading, cell } = times[bucket]
  const isDaily = bucket === 'day'
  return tableOf(
    [
      heading,
      { label: 'Visualizzazioni' },
      ...(isDaily ? [{ label: 'Visitatori del giorno', width: 21 }] : []),
      ...headings('Offerte aperte', 'Tocchi su WhatsApp', 'Ordini'),
    ],
    points.map((point) => [
      cell(point),
      point.views,
      ...(isDaily ? [point.uniqueVisitors] : []),
      point.offersOpened,
      point.whatsappTaps,
      point.total,
    ]),
  )
}

export function ordersTable({ bucket, points }: Analytics): Table {
  const { heading, cell } = times[bucket]
  return tableOf(
    [heading, ...headings('Ordini', 'Completati', 'di cui prenotati', 'In attesa', 'Annullati')],
    points.map((point) => [
      cell(point),
      point.total,
      point.completed,
      point.processing,
      point.pending,
      point.cancelled,
    ]),
  )
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

const sourceNames: Record<VisitSource, string> = {
  flyer: 'Volantino',
  poster: 'Locandina',
  link: 'Link',
  share: 'Condivisione',
  whatsapp: 'WhatsApp',
  social: 'Social',
  search: 'Motori di ricerca',
  site: 'Altri siti',
  direct: 'Accesso diretto',
}

const deviceNames: Record<VisitDevice, string> = {
  phone: 'Telefono',
  tablet: 'Tablet',
  computer: 'Computer',
}

const exclusionNames: Record<ExclusionReason, string> = {
  bot: 'Programmi automatici',
  preview: 'Anteprime dei link',
  staff: 'Personale della farmacia',
  privacy: 'Richiesta di non essere contati',
  limit: 'Troppe visite in poco tempo',
}

export function sharesTable({ sources, devices, excluded }: Traffic): Table {
  return tableOf(
    [{ label: 'Tipo' }, { label: 'Voce', width: 32 }, { label: 'Visualizzazioni' }],
    [
      ...sources.map(({ source, views }) => ['Provenienza', sourceNames[source], views]),
      ...devices.map(({ device, views }) => ['Dispositivo', deviceNames[device], views]),
      ...excluded.map(({ reason, amount }) => ['Escluse', exclusionNames[reason], amount]),
    ],
  )
}

const stateNames: Record<OfferFunnel['state'], string> = {
  active: 'Attiva',
  planned: 'Programmata',
  ended: 'Terminata',
  inactive: 'Inattiva',
  gone: 'Eliminata',
}

export function offersTable({ offers }: Traffic): Table {
  return tableOf(
    [
      { label: 'Offerta', width: 48 },
      ...headings('Stato', 'Viste', 'Aperte', 'Tocchi su WhatsApp', 'Ordini con codice'),
    ],
    offers.map((offer) => [
      offer.name ?? 'Offerta eliminata',
      stateNames[offer.state],
      offer.seen,
      offer.opened,
      offer.whatsappTaps,
      offer.ordered,
    ]),
  )
}

export function waitsTable({ waits, priority }: OrderAnalytics): Table {
  const ofOrders = ['Ora', 'Ordini confermati', 'Attesa mediana (minuti)']
  const ofArrivals = ['Arrivi', 'Attesa mediana agli arrivi (secondi)']
  return tableOf(
    headings(...ofOrders, ...(priority ? ofArrivals : [])).map((each) => ({ ...each, width: 24 })),
    waits.hours.map(({ hour, confirmed, medianMinutes }) => {
      const arrived = priority?.hours.find((each) => each.hour === hour)
      return [
        hourName(hour),
        confirmed,
        medianMinutes,
        ...(arrived ? [arrived.arrivals, arrived.medianWait] : []),
      ]
    }),
  )
}
