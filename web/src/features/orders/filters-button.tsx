import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import type { FilterUrl } from '../../lib/url-filter.ts'
import { useOverlayEntry } from '../../lib/use-overlay-entry.ts'
import { Button } from '../../ui/button.tsx'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { statusText } from './filter-texts.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'
import { periodText } from './period-texts.ts'
import type { OrderCounts } from './use-order-counts.ts'

const loadSheet = async () => (await import('./filters-sheet.tsx')).FiltersSheet

type FiltersButtonProps = { query: OrdersListQuery; counts: OrderCounts | null; go: Go }

/** Button that opens the filter sheet, with the number of filters set in it. */
export function FiltersButton({ query, counts, go }: FiltersButtonProps) {
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
