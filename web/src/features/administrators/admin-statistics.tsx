import { getAdminStatistics } from '@bancone/contract/administrators'
import type { Response } from '@bancone/contract/endpoint'
import { paths } from '@bancone/contract/pages'
import { useId } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

const counters: readonly {
  count: keyof Response<typeof getAdminStatistics>
  label: string
  to: string
}[] = [
  { count: 'pharmacies', label: 'Farmacie totali', to: paths.adminPharmacies },
  { count: 'activePharmacies', label: 'Farmacie attive', to: paths.adminPharmacies },
  { count: 'categories', label: 'Categorie', to: paths.adminCategories },
  { count: 'plans', label: 'Piani di abbonamento', to: paths.adminPlans },
]

const grid = 'grid grid-cols-2 gap-2.5 lg:grid-cols-4'
const card = 'rounded-card border border-line bg-surface px-4 py-3'

function Counters({ statistics }: { statistics: Response<typeof getAdminStatistics> }) {
  const id = useId()
  return (
    <dl className={grid}>
      {counters.map(({ count, label, to }) => (
        <div key={count} className={`relative transition-colors hover:bg-sunken ${card}`}>
          <dt id={`${id}-${count}`} className="text-sm text-muted">
            {label}
          </dt>
          <dd className="text-2xl font-medium tracking-tight tabular-nums">
            <span id={`${id}-${count}-number`}>{formatNumber(statistics[count])}</span>
            {/* Covers the whole card. */}
            <Link
              to={to}
              aria-labelledby={`${id}-${count} ${id}-${count}-number`}
              className="absolute inset-0 rounded-[inherit]"
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** How many pharmacies, categories and plans there are; each number leads to their list. */
export function AdminStatistics() {
  const query = useEndpoint(getAdminStatistics, {})
  return (
    <QueryStates
      query={query}
      title="Errore nel caricamento delle statistiche"
      skeleton={
        <Loading text="Caricamento delle statistiche in corso…" className={grid}>
          {counters.map(({ count }) => (
            <div key={count} className={card}>
              <Skeleton className="my-1 h-3.5 w-24" />
              <Skeleton className="mt-3 mb-1 h-6 w-12" />
            </div>
          ))}
        </Loading>
      }
    >
      {(statistics) => <Counters statistics={statistics} />}
    </QueryStates>
  )
}
