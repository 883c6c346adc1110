import {
  Bookmark,
  CalendarRange,
  ChevronDown,
  ListFilter,
  type LucideIcon,
  SlidersHorizontal,
  X,
} from 'lucide-react'
import { type ComponentType, useEffect, useRef } from 'react'
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
import { periodText, statusText } from './filter-texts.ts'
import { SearchBox } from './search-box.tsx'
import { SizeSelect, SortSelect } from './sorting.tsx'
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
  const wide = useMediaQuery(WIDE)
  return (
    <div className="flex gap-2 lg:flex-wrap print:hidden">
      <SearchBox query={query} go={go} waiting={waiting} />
      {wide ? (
        <WideFilters {...{ query, go, counts }} />
      ) : (
        <FiltersButton {...{ query, go, counts }} />
      )}
    </div>
  )
}

type FiltersProps = Omit<OrdersFiltersProps, 'waiting'>

function WideFilters({ query, go, counts }: FiltersProps) {
  const view = useActiveView(query)
  const chosen =
    (close: () => void): Go =>
    (change) => {
      close()
      go(change)
    }
  return (
    <>
      {isFiltered(query) ? (
        <Button look="quiet" onClick={() => go(NO_FILTER)}>
          <X aria-hidden />
          Azzera filtri
        </Button>
      ) : null}
      <FilterButton
        title="Stato"
        chosen={statusText(query)}
        icon={ListFilter}
        buttonClassName="max-w-60"
        panelClassName="w-68 p-1.5"
        load={loadStatusPanel}
        props={(close) => ({ query, counts, onChange: chosen(close) })}
      />
      <FilterButton
        title="Periodo"
        chosen={periodText(query)}
        icon={CalendarRange}
        panelClassName="w-88 p-3.5"
        load={loadPeriodPanel}
        props={(close) => ({ query, onChange: chosen(close) })}
      />
      <SortSelect query={query} go={go} />
      <SizeSelect query={query} go={go} />
      <FilterButton
        title="Viste"
        what="Vista"
        chosen={view?.name ?? null}
        icon={Bookmark}
        buttonClassName="max-w-56"
        panelClassName="max-h-[70dvh] w-88 overflow-y-auto overscroll-contain p-2"
        load={loadViewsPanel}
        props={(close) => ({ query, onChosen: close })}
      />
    </>
  )
}

const loadSheet = async () => (await import('./filters-sheet.tsx')).FiltersSheet

/** Button that opens the filter sheet, with the number of filters set in it. */
function FiltersButton({ query, counts, go }: FiltersProps) {
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

type FilterButtonProps<P> = {
  title: string
  /** What is chosen; the button shows the title where nothing is. */
  chosen: string | null
  /** What is chosen, for screen readers. */
  what?: string
  icon: LucideIcon
  buttonClassName?: string
  panelClassName: string
  load: () => Promise<ComponentType<P>>
  props: (close: () => void) => P
}

/** A button with what is chosen, which opens the panel to choose it. */
function FilterButton<P extends object>(filter: FilterButtonProps<P>) {
  const { title, chosen, what = title, icon: Icon, load, props } = filter
  return (
    <Popover
      title={title}
      buttonClassName={cn(buttonStyle(), filter.buttonClassName, chosen && 'text-accent')}
      panelClassName={cn('min-h-20', filter.panelClassName)}
      label={
        <>
          <Icon aria-hidden />
          {chosen === null ? null : <span className="sr-only">{what}: </span>}
          <span className="truncate">{chosen ?? title}</span>
          <ChevronDown aria-hidden className="text-muted" />
        </>
      }
    >
      {(close) => <LazyBoundary load={load} props={props(close)} onLoadError={close} />}
    </Popover>
  )
}

const loadPeriodPanel = async () => (await import('./period-panel.tsx')).PeriodPanel
const loadStatusPanel = async () => (await import('./status-panel.tsx')).StatusPanel
const loadViewsPanel = async () => (await import('./views-panel.tsx')).ViewsPanel
