import { formatShortDay } from '@bancone/contract/dates'
import { getPriorityReport, type PriorityReport } from '@bancone/contract/priority-report'
import { ChartColumn } from 'lucide-react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { type Period, ReportPeriod, usePeriod } from './report-period.tsx'
import { busyHours, durationText, hourText } from './report-texts.ts'

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
  const hours = busyHours(report)
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
                {hourText(hour)}
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
