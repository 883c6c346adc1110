import {
  Bookmark,
  CalendarRange,
  ChevronDown,
  ListFilter,
  SlidersHorizontal,
  X,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import type { FilterUrl } from '../../../lib/url-filter.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { useOverlayEntry } from '../../../lib/use-overlay-entry.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from '../data/orders-search.ts'
import type { OrderCounts } from '../data/use-order-counts.ts'
import { statusText } from './filter-texts.ts'
import { periodText } from './period-texts.ts'
import { SearchBox } from './search-box.tsx'
import { SizeSelect, SortSelect } from './sort-selects.tsx'
import { useActiveView } from './views-active.ts'

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

const loadSheet = async () => (await import('./filters-sheet.tsx')).FiltersSheet

type FiltersButtonProps = { query: OrdersListQuery; counts: OrderCounts | null; go: Go }

/** Button that opens the filter sheet, with the number of filters set in it. */
function FiltersButton({ query, counts, go }: FiltersButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { isOpen, open, close } = useFiltersEntry()
  const set = [statusText(query), periodText(query), query.ordina ?? null].filter(
    (text) => text !== null,
  ).length
  return (
    <>
      <Button ref={button} aria-haspopup="dialog" className="px-3" onClick={open}>
        <SlidersHorizontal aria-hidden />
        Filtri
        {set > 0 ? (
          <>
            <span
              aria-hidden
              className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-xs text-on-accent tabular-nums"
            >
              {set}
            </span>
            <span className="sr-only">{set === 1 ? '1 impostato' : `${set} impostati`}</span>
          </>
        ) : null}
      </Button>
      <LazyBoundary
        load={loadSheet}
        props={
          isOpen
            ? { query, counts, go, onClose: close, onReturnFocus: () => button.current?.focus() }
            : null
        }
        onLoadError={close}
      />
    </>
  )
}

/**
 * On a phone the filter sheet is a history entry: 'back' closes it. Chosen filters replace that entry, so that
 * closing the sheet, also by 'back', keeps them.
 */
function useFiltersEntry() {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const way = useNavigationType()
  const { isOpen, ...entry } = useOverlayEntry('filters')
  /** The URL when the sheet was opened; null after a reload. */
  const beneath = useRef<FilterUrl | null>(null)
  /** The URL with the chosen filters. */
  const chosen = useRef<FilterUrl | null>(null)

  useEffect(() => {
    const before = chosen.current
    chosen.current = isOpen ? { search, hash } : null
    if (isOpen || way !== 'POP' || before === null) return
    if (before.search !== search || before.hash !== hash) void navigate(before)
  }, [isOpen, search, hash, way, navigate])

  return {
    isOpen,
    open() {
      beneath.current = { search, hash }
      entry.open()
    },
    close() {
      if (!isOpen) return
      const { current } = beneath
      if (current?.search === search && current.hash === hash) entry.close()
      else void navigate({ search, hash }, { replace: true, state: null })
    },
  }
}

const loadPeriodPanel = async () => (await import('./period-panel.tsx')).PeriodPanel

/** Button with the selected period, which opens the period panel. */
function PeriodButton({ query, go }: { query: OrdersListQuery; go: Go }) {
  const text = periodText(query)
  return (
    <Popover
      title="Periodo"
      buttonClassName={cn(buttonStyle(), text && 'text-accent')}
      panelClassName="min-h-20 w-88 p-3.5"
      label={
        <>
          <CalendarRange aria-hidden />
          {text === null ? null : <span className="sr-only">Periodo: </span>}
          {text ?? 'Periodo'}
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
    >
      {(close) => (
        <LazyBoundary
          load={loadPeriodPanel}
          props={{
            query,
            onChange(days) {
              close()
              go(days)
            },
          }}
          onLoadError={close}
        />
      )}
    </Popover>
  )
}

const loadStatusPanel = async () => (await import('./status-panel.tsx')).StatusPanel

type StatusButtonProps = { query: OrdersListQuery; counts: OrderCounts | null; go: Go }

/** Button with the chosen status, which opens the status panel. */
function StatusButton({ query, counts, go }: StatusButtonProps) {
  const text = statusText(query)
  return (
    <Popover
      title="Stato"
      buttonClassName={cn(buttonStyle(), 'max-w-60', text && 'text-accent')}
      panelClassName="min-h-20 w-68 p-1.5"
      label={
        <>
          <ListFilter aria-hidden />
          {text === null ? null : <span className="sr-only">Stato: </span>}
          <span className="truncate">{text ?? 'Stato'}</span>
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
    >
      {(close) => (
        <LazyBoundary
          load={loadStatusPanel}
          props={{
            query,
            counts,
            onChange(change) {
              close()
              go(change)
            },
          }}
          onLoadError={close}
        />
      )}
    </Popover>
  )
}

const loadViewsPanel = async () => (await import('./views-panel.tsx')).ViewsPanel

/** Button with the name of the active view, which opens the saved views. */
function ViewsButton({ query }: { query: OrdersListQuery }) {
  const active = useActiveView(query)
  return (
    <Popover
      title="Viste"
      buttonClassName={cn(buttonStyle(), 'max-w-56', active && 'text-accent')}
      panelClassName="max-h-[70dvh] min-h-20 w-88 overflow-y-auto overscroll-contain p-2"
      label={
        <>
          <Bookmark aria-hidden />
          {active ? <span className="sr-only">Vista: </span> : null}
          <span className="truncate">{active?.name ?? 'Viste'}</span>
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
    >
      {(close) => (
        <LazyBoundary
          load={loadViewsPanel}
          props={{ query, onChosen: close }}
          onLoadError={close}
        />
      )}
    </Popover>
  )
}
