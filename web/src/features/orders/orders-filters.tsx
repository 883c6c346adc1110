import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button } from '../../ui/button.tsx'
import { FiltersButton } from './filters-button.tsx'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from './orders-search.ts'
import { PeriodButton } from './period-button.tsx'
import { SearchBox } from './search-box.tsx'
import { SizeSelect, SortSelect } from './sort-selects.tsx'
import { StatusChips } from './status-chips.tsx'
import type { OrderCounts } from './use-order-counts.ts'
import { ViewsButton } from './views-button.tsx'

type OrdersFiltersProps = {
  query: OrdersListQuery
  go: Go
  counts: OrderCounts | null
  /** The query is being fetched. */
  waiting: boolean
}

/** The filters of the list. On a phone all but search and status are in a sheet. */
export function OrdersFilters({ query, go, counts, waiting }: OrdersFiltersProps) {
  const roomy = useMediaQuery(WIDE)
  return (
    <div className="flex flex-col gap-2.5 print:hidden">
      <div className="flex gap-2 lg:flex-wrap">
        <SearchBox query={query} go={go} waiting={waiting} />
        {roomy ? (
          <>
            <PeriodButton query={query} go={go} />
            <SortSelect query={query} go={go} />
            <SizeSelect query={query} go={go} />
            <ViewsButton query={query} />
          </>
        ) : (
          <FiltersButton query={query} go={go} />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 max-lg:flex-col max-lg:flex-nowrap max-lg:items-stretch">
        <StatusChips query={query} counts={counts} go={go} />
        {/* On a phone this button is in the sheet. */}
        {roomy && isFiltered(query) ? (
          <Button look="link" size="small" className="ml-auto" onClick={() => go(NO_FILTER)}>
            Azzera filtri
          </Button>
        ) : null}
      </div>
    </div>
  )
}
