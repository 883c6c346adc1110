import { SlidersHorizontal } from 'lucide-react'
import { useRef } from 'react'
import { LazyBoundary } from '../../lib/lazy-boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { statusText } from './filter-texts.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'
import { periodText } from './period-texts.ts'
import { useFiltersEntry } from './use-filters-entry.ts'
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
        activeKey={isOpen ? 'filters' : null}
        props={
          isOpen
            ? { query, counts, go, onClose: close, onReturnFocus: () => button.current?.focus() }
            : null
        }
        onLoadError={() => {
          notifyChunkFailure()
          close()
        }}
      />
    </>
  )
}
