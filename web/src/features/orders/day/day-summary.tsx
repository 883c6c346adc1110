import { addDays, Day, dayOf } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import {
  listOrders,
  type OrderStatistics,
  type OrdersPage,
  type OrdersQuery,
} from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import { MAX_PAGE_SIZE } from '@bancone/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CardListSkeleton } from '../../../ui/card-list-skeleton.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { PAGE_CACHE_MS } from '../data/orders-cache.ts'
import { countText, DayOrders } from './day-orders.tsx'

const dayUrl = searchParamsFormat(z.object({ giorno: z.catch(z.nullable(Day), null) }))

/** The day in the URL, by default today. */
function useDay() {
  const [{ giorno }, change] = useUrlFilter(dayUrl)
  const now = useNow()
  const today = dayOf(now)
  return { day: giorno ?? today, today, now, go: (day: string) => change({ giorno: day }) }
}

/** The orders that are ready and not collected, of all days. */
function ToCollect({ toCollect, overdue }: Pick<OrderStatistics, 'toCollect' | 'overdue'>) {
  if (toCollect === 0) return null
  const counts = [
    { name: 'Da ritirare', filter: 'si', orders: toCollect },
    { name: 'Non ritirati', filter: 'scaduti', orders: overdue },
  ]
  return (
    <dl className="flex flex-wrap gap-x-6 rounded-card border border-line bg-surface px-4 py-1 md:py-2">
      {counts.map(({ name, filter, orders }) =>
        orders === 0 ? null : (
          <div key={name} className="flex items-center gap-2.5">
            <dt className="text-sm">
              <Link
                to={{ pathname: paths.dashboard, search: `?ritiro=${filter}` }}
                className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-accent md:min-h-8 print:no-underline"
              >
                {name}
              </Link>
            </dt>
            <dd className="text-lg font-medium tabular-nums">{formatNumber(orders)}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

type DayLinkProps = { day: string; label: string; icon: typeof ChevronLeft }

function DayLink({ day, label, icon: Icon }: DayLinkProps) {
  return (
    <Link
      to={{ search: `?giorno=${day}` }}
      aria-label={label}
      title={label}
      className={buttonStyle({ size: 'square' })}
    >
      <Icon aria-hidden />
    </Link>
  )
}

type DayChoiceProps = { day: string; today: string; onDay: (day: string) => void }

function DayChoice({ day, today, onDay }: DayChoiceProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:w-full">
      <DayLink day={addDays(day, -1)} label="Giorno precedente" icon={ChevronLeft} />
      <label htmlFor={id} className="sr-only">
        Giorno
      </label>
      <input
        id={id}
        type="date"
        value={day}
        // While a date is being typed the value may be incomplete.
        onChange={({ target }) =>
          Day.safeParse(target.value).success ? onDay(target.value) : null
        }
        className="h-11 min-w-0 rounded-control border border-line-strong bg-surface px-3 text-sm font-medium max-md:text-base max-sm:flex-1 md:h-9 pointer-coarse:h-11"
      />
      <DayLink day={addDays(day, 1)} label="Giorno successivo" icon={ChevronRight} />
      {day === today ? null : (
        <Link to={{ search: '' }} className={buttonStyle()}>
          Oggi
        </Link>
      )}
    </div>
  )
}

/** The orders of one day, for printing. */
export function DaySummary() {
  const { day, today, now, go } = useDay()
  const query = useDayOrders(day, today)
  const counted = query.data && countText(query.data.made.length)
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div>
          <Link
            to={paths.dashboard}
            className="-mx-1 inline-flex min-h-11 items-center gap-1 rounded px-1 text-sm text-muted underline-offset-4 hover:text-ink hover:underline md:min-h-8 print:hidden"
          >
            <ChevronLeft aria-hidden className="size-4" />
            Ordini
          </Link>
          <PageTitle>Riepilogo del giorno</PageTitle>
          <p className="text-sm text-muted first-letter:uppercase">{formatDay(day)}</p>
          <p className="hidden text-sm text-muted print:block">Stampato il {formatDateTime(now)}</p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full print:hidden">
          <DayChoice day={day} today={today} onDay={go} />
          <Button
            look="primary"
            className="max-sm:flex-1"
            inactive={query.data === undefined}
            onClick={() => window.print()}
          >
            <Printer aria-hidden />
            Stampa
          </Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {counted ? `${formatDay(day)}: ${counted}` : null}
      </p>
      <QueryStates
        query={query}
        skeleton={<CardListSkeleton text="Caricamento del riepilogo in corso…" />}
      >
        {({ statistics, ...orders }) => (
          <>
            {day === today ? <ToCollect {...statistics} /> : null}
            <DayOrders today={day === today} orders={orders} />
          </>
        )}
      </QueryStates>
    </div>
  )
}

const WAITING: OrdersQuery['stato'] = ['In attesa']

type DayQuery = Omit<Request<typeof listOrders>['query'], 'page' | 'pageSize'>

/** All pages of a query as one. An order may appear on two pages when new ones arrive while they are fetched. */
async function fetchAllPages(dayQuery: DayQuery, signal: AbortSignal): Promise<OrdersPage> {
  const records = new Map<string, OrdersPage['records'][number]>()
  for (let page = 1; ; page += 1) {
    const query = { ...dayQuery, page, pageSize: MAX_PAGE_SIZE }
    const response = await call(listOrders, { query }, { signal })
    for (const order of response.records) records.set(order.id, order)
    if (!response.pagination.hasNextPage) return { ...response, records: [...records.values()] }
  }
}

/** The query key starts like those of order pages, so that invalidation and changed statuses affect it too. */
function useAllPages(dayQuery: DayQuery) {
  return useQuery({
    queryKey: [...endpointKey(listOrders), { whole: dayQuery }],
    queryFn: ({ signal }) => fetchAllPages(dayQuery, signal),
    gcTime: PAGE_CACHE_MS,
  })
}

/**
 * The orders of a day, oldest first, those of the day before that were booked for it, and for today the newest ones of
 * the days before that still wait.
 */
function useDayOrders(day: string, today: string) {
  const before = addDays(day, -1)
  const booked: OrdersQuery['stato'] = ['Prenotato Domani']
  const made = useAllPages({ dal: day, al: day, ordina: 'meno-recenti' })
  const due = useAllPages({ dal: before, al: before, stato: booked, ordina: 'meno-recenti' })
  const isToday = day === today
  const request = { query: { al: before, stato: WAITING, page: 1, pageSize: MAX_PAGE_SIZE } }
  const waiting = useQuery({
    queryKey: endpointKey(listOrders, request),
    queryFn: ({ signal }) => call(listOrders, request, { signal }),
    gcTime: PAGE_CACHE_MS,
    enabled: isToday,
  })
  const all = isToday ? [made, due, waiting] : [made, due]
  return {
    data:
      made.data && due.data && (waiting.data || !isToday)
        ? {
            statistics: made.data.statistics,
            made: made.data.records,
            due: due.data.records,
            waiting: isToday ? (waiting.data?.records ?? []) : [],
            waitingCount: waiting.data?.pagination.totalRecords ?? 0,
          }
        : undefined,
    error: made.error ?? due.error ?? (isToday ? waiting.error : null),
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => void Promise.all(all.map(({ refetch }) => refetch())),
  }
}

// UTC, because the value is a calendar day: a time zone would shift it.
const worded = new Intl.DateTimeFormat('it-IT', { timeZone: 'UTC', dateStyle: 'full' })

/** 'sabato 21 novembre 2026' */
function formatDay(day: string): string {
  return worded.format(new Date(`${day}T00:00:00Z`))
}
