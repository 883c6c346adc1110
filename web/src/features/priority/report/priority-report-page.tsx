import { addDays, Day, dayOf, formatShortDay } from '@bancone/contract/dates'
import { getPriorityReport, type PriorityReport } from '@bancone/contract/priority-report'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { busyHours, hourRange } from '../../../lib/hours.ts'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'

function Figures({ report }: { report: PriorityReport }) {
  const figures = [
    ['Arrivi', formatNumber(report.arrivals)],
    ['Chiamati', formatNumber(report.called)],
    ['Non presenti', formatNumber(report.noShows)],
    ['Attesa mediana', durationText(report.medianWait)],
    ['Attesa, 90° percentile', durationText(report.p90Wait)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([term, value]) => (
        <div key={term} className="rounded-card border border-line bg-surface p-4">
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="mt-1 text-2xl font-medium tracking-tight tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const cell = 'border-t border-line py-2 pr-4 tabular-nums'

/** The numbers stand beside the bars, which only repeat them. */
function HoursTable({ report }: { report: PriorityReport }) {
  const hours = busyHours(report.hours, ({ arrivals }) => arrivals > 0)
  const most = Math.max(...hours.map(({ arrivals }) => arrivals))
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface p-4 md:p-5">
      <table className="w-full text-left text-sm">
        <caption className="pb-3 text-left text-base font-medium">Arrivi per ora</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="w-20 py-1 pr-4 font-medium">
              Ora
            </th>
            <th scope="col" className="py-1 pr-4 font-medium">
              Arrivi
            </th>
            <th scope="col" className="py-1 font-medium sm:w-36">
              Attesa mediana
            </th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ hour, arrivals, medianWait }) => (
            <tr key={hour}>
              <th scope="row" className={`${cell} font-medium`}>
                {hourRange(hour)}
              </th>
              <td className={`${cell} relative`}>
                {formatNumber(arrivals)}
                <span
                  aria-hidden
                  className="absolute top-1/2 left-10 h-3 -translate-y-1/2 rounded-full bg-accent"
                  style={{ width: `calc((100% - 3.5rem) * ${arrivals / most})` }}
                />
              </td>
              <td className="border-t border-line py-2 tabular-nums">{durationText(medianWait)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Report({ period: { dal, al } }: { period: Period }) {
  const query = useEndpoint(getPriorityReport, { query: { dal, al } })
  return (
    <QueryStates query={query} skeleton={<ReportSkeleton />}>
      {(report) =>
        report.arrivals === 0 ? (
          <EmptyList icon={<ChartColumn />} title="Nessun arrivo in questo periodo">
            Dal {formatShortDay(dal)} al {formatShortDay(al)} nessun cliente ha avvisato di essere
            in farmacia.
          </EmptyList>
        ) : (
          <>
            <Figures report={report} />
            <HoursTable report={report} />
          </>
        )
      }
    </QueryStates>
  )
}

/** Arrivals and waits of a period. */
export function ReportPage() {
  const [period, setPeriod] = usePeriod()
  return (
    <div className="flex flex-col gap-4">
      <PageTitle>Report Priority</PageTitle>
      <ReportPeriod period={period} onPeriod={setPeriod} />
      <Report period={period} />
      <p className="text-sm text-muted">L'attesa va dall'arrivo del cliente alla chiamata.</p>
    </div>
  )
}

function ReportSkeleton() {
  return (
    <Loading text="Caricamento del report in corso…" className="flex flex-col gap-4">
      <Skeleton shape="control" className="h-20 w-full" />
      <Skeleton shape="control" className="h-64 w-full" />
    </Loading>
  )
}

/** The most days of a report. */
const MAX_DAYS = 366

type Period = { dal: Day; al: Day }

const address = searchParamsFormat(
  z.object({ dal: z.catch(z.nullable(Day), null), al: z.catch(z.nullable(Day), null) }),
)

const presets = [
  { text: 'Oggi', days: 1 },
  { text: 'Ultimi 7 giorni', days: 7 },
  { text: 'Ultimi 30 giorni', days: 30 },
] as const

/** The period in the URL; by default the last seven days. */
function usePeriod(): [Period, (period: Period) => void] {
  const [{ dal, al }, go] = useUrlFilter(address)
  const today = dayOf(useNow())
  const isValid = dal !== null && al !== null && periodError({ dal, al }) === undefined
  return [isValid ? { dal, al } : { dal: addDays(today, -6), al: today }, (period) => go(period)]
}

function periodError({ dal, al }: { dal: string; al: string }): string | undefined {
  if (!Day.safeParse(dal).success || !Day.safeParse(al).success) return 'Scegli i due giorni.'
  if (dal > al) return 'Il primo giorno viene dopo il secondo.'
  return addDays(dal, MAX_DAYS) <= al ? `Al massimo ${MAX_DAYS} giorni.` : undefined
}

/** Chooses the period. Only a valid one is applied. */
function ReportPeriod(props: { period: Period; onPeriod: (period: Period) => void }) {
  const { period, onPeriod } = props
  const [draft, setDraft] = useState<Period>(period)
  const [applied, setApplied] = useState(period)
  // A preset, or Back.
  if (applied.dal !== period.dal || applied.al !== period.al) {
    setApplied(period)
    setDraft(period)
  }
  const error = periodError(draft)
  const today = dayOf(useNow())

  function change(next: Period) {
    setDraft(next)
    if (periodError(next) === undefined) onPeriod(next)
  }

  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        type="date"
        label="Dal"
        max={today}
        value={draft.dal}
        error={error}
        onChange={({ target }) => change({ ...draft, dal: target.value })}
      />
      <TextField
        type="date"
        label="Al"
        max={today}
        value={draft.al}
        onChange={({ target }) => change({ ...draft, al: target.value })}
      />
      <div role="group" aria-label="Periodi" className="flex flex-wrap gap-2">
        {presets.map(({ text, days }) => {
          const dal = addDays(today, 1 - days)
          return (
            <Button
              key={text}
              aria-pressed={period.dal === dal && period.al === today}
              onClick={() => change({ dal, al: today })}
            >
              {text}
            </Button>
          )
        })}
      </div>
    </div>
  )
}

const MINUTE = 60

/** '4 min 30 s', '45 s'; '–' without a value. @param seconds of waiting */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–'
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / MINUTE)
  const rest = whole % MINUTE
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${formatNumber(minutes)} min` : `${formatNumber(minutes)} min ${rest} s`
}
