import { X } from 'lucide-react'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button } from '../../ui/button.tsx'
import { FiltersButton } from './filters-button.tsx'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from './orders-search.ts'
import { PeriodButton } from './period-button.tsx'
import { SearchBox } from './search-box.tsx'
import { SizeSelect, SortSelect } from './sort-selects.tsx'
import { StatusButton } from './status-button.tsx'
import type { OrderCounts } from './use-order-counts.ts'
import { ViewsButton } from './views-button.tsx'

type OrdersFiltersProps = {
  query: OrdersListQuery
  go: Go
  counts: OrderCounts | null
  /** The query is being fetched. */
  waiting: boolean
}

/** The filters of the list, in one row. On a phone all but the search are in a sheet. */
export function OrdersFilters({ query, go, counts, waiting }: OrdersFiltersProps) {
  const roomy = useMediaQuery(WIDE)
  return (
    <div className="flex gap-2 lg:flex-wrap print:hidden">
      <SearchBox query={query} go={go} waiting={waiting} />
      {roomy ? (
        <>
          {isFiltered(query) ? (
            <Button look="quiet" onClick={() => go(NO_FILTER)}>
              <X aria-hidden />
              Azzera filtri
            </Button>
          ) : null}
          <StatusButton query={query} counts={counts} go={go} />
          <PeriodButton query={query} go={go} />
          <SortSelect query={query} go={go} />
          <SizeSelect query={query} go={go} />
          <ViewsButton query={query} />
        </>
      ) : (
        <FiltersButton query={query} counts={counts} go={go} />
      )}
    </div>
  )
}
