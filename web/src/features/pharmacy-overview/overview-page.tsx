import { Light } from '@bancone/contract/pharmacy-attention'
import { listPharmacyOverview, type PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import { Building2, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod/mini'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { NativeSelect } from '../../ui/native-select.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import {
  type OverviewFilter,
  OverviewList,
  SortKey,
  sorts,
  useOverviewAddress,
} from './overview-list.tsx'
import { lights } from './overview-parts.tsx'

/** Rows that are shown first, and that 'Mostra altre' adds. */
const PORTION = 50

const REFRESH_MS = 60_000

type LightFilterProps = {
  light: OverviewFilter['light']
  pharmacies: readonly PharmacyOverview[]
  onLight: (light: OverviewFilter['light']) => void
}

function LightFilter({ light, pharmacies, onLight }: LightFilterProps) {
  return (
    <div role="group" aria-label="Filtra per stato" className="flex flex-wrap gap-2">
      {(['all', ...Light.options] as const).map((each) => {
        const shown = each === 'all' ? null : lights[each]
        const count = shown
          ? pharmacies.filter((pharmacy) => pharmacy.light === each).length
          : pharmacies.length
        return (
          <Button key={each} aria-pressed={each === light} onClick={() => onLight(each)}>
            {shown ? <shown.Icon aria-hidden className={shown.className} /> : null}
            {shown ? shown.name : 'Tutte'}
            <span className="text-muted tabular-nums">{formatNumber(count)}</span>
          </Button>
        )
      })}
    </div>
  )
}

/** The state of all pharmacies, those that need attention first. */
export function OverviewPage() {
  const query = useEndpoint(listPharmacyOverview, {}, { refetchInterval: REFRESH_MS })
  const [filter, change] = useOverviewAddress()
  const now = useNow()
  const wide = useMediaQuery(WIDE)
  const [limit, setLimit] = useState(PORTION)

  function sortBy(sort: SortKey) {
    const isReversed = sort === filter.sort && sort !== 'need' && filter.dir === 'asc'
    change({ sort, dir: isReversed ? 'desc' : 'asc' })
  }

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <PageTitle>Chi ha bisogno di attenzione</PageTitle>
      <QueryStates
        query={query}
        skeleton={<CardListSkeleton text="Caricamento delle farmacie in corso…" />}
      >
        {({ pharmacies }) => {
          const found = sortedOverview(pharmacies, filter)
          if (pharmacies.length === 0) {
            return (
              <EmptyList icon={<Building2 />} title="Nessuna farmacia">
                Qui vedi lo stato di ogni farmacia, appena ce n'è una.
              </EmptyList>
            )
          }
          return (
            <>
              <div className="flex flex-wrap items-center justify-between gap-3">
                <LightFilter
                  light={filter.light}
                  pharmacies={pharmacies}
                  onLight={(light) => change({ light })}
                />
                {wide ? (
                  filter.sort === 'need' ? null : (
                    <Button look="quiet" onClick={() => sortBy('need')}>
                      Ordina per urgenza
                    </Button>
                  )
                ) : (
                  <NativeSelect
                    label="Ordina le farmacie"
                    value={filter.sort}
                    onChange={({ target }) =>
                      change({ sort: z.catch(SortKey, 'need').parse(target.value), dir: 'asc' })
                    }
                  >
                    {SortKey.options.map((key) => (
                      <option key={key} value={key}>
                        {sorts[key]}
                      </option>
                    ))}
                  </NativeSelect>
                )}
              </div>
              <p role="status" className="sr-only">
                {filter.light === 'all' ? null : `Farmacie trovate: ${found.length}`}
              </p>
              {found.length === 0 ? (
                <EmptyList
                  icon={<CircleCheck />}
                  title="Nessuna farmacia in questo stato"
                  action={
                    <Button onClick={() => change({ light: 'all' })}>
                      Mostra tutte le farmacie
                    </Button>
                  }
                >
                  {filter.light === 'red'
                    ? 'In questo momento non c’è niente da risolvere.'
                    : 'Prova con un altro stato.'}
                </EmptyList>
              ) : (
                <OverviewList
                  items={found.slice(0, limit)}
                  now={now}
                  filter={filter}
                  onSort={sortBy}
                />
              )}
              {found.length > limit ? (
                <Button className="self-center" onClick={() => setLimit(limit + PORTION)}>
                  Mostra altre {formatNumber(Math.min(PORTION, found.length - limit))}
                </Button>
              ) : null}
            </>
          )
        }}
      </QueryStates>
    </div>
  )
}

const time = (value: string | null) =>
  value === null ? Number.NEGATIVE_INFINITY : Date.parse(value)

/** By what a column is sorted. What never happened is before what did; what has no end is after what has one. */
const values: Record<Exclude<SortKey, 'need' | 'name'>, (pharmacy: PharmacyOverview) => number> = {
  signIn: ({ lastSignInAt }) => time(lastSignInAt),
  order: ({ lastOrderAt }) => time(lastOrderAt),
  orders: ({ ordersIn7Days }) => ordersIn7Days,
  copy: ({ copyError, lastReadAt, source }) =>
    copyError
      ? Number.NEGATIVE_INFINITY
      : source === 'database'
        ? Number.POSITIVE_INFINITY
        : time(lastReadAt),
  offers: ({ activeOffers, maxOffers }) => (maxOffers ? activeOffers / maxOffers : 0),
  storage: ({ storageBytes }) => storageBytes,
  jobs: ({ failedJobs }) => failedJobs,
  plan: ({ planDaysLeft }) => planDaysLeft ?? Number.POSITIVE_INFINITY,
}

/** The pharmacies of a light, sorted. Equal ones keep the order of the server. */
function sortedOverview(
  pharmacies: readonly PharmacyOverview[],
  { light, sort, dir }: OverviewFilter,
): PharmacyOverview[] {
  const shown = pharmacies.filter((pharmacy) => light === 'all' || pharmacy.light === light)
  if (sort === 'need') return shown
  const sign = dir === 'asc' ? 1 : -1
  if (sort === 'name') return shown.toSorted((a, b) => sign * a.name.localeCompare(b.name, 'it'))
  const of = values[sort]
  return shown.toSorted((a, b) => {
    const [x, y] = [of(a), of(b)]
    return x === y ? 0 : x < y ? -sign : sign
  })
}
