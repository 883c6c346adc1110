import { ChevronDown, ListFilter } from 'lucide-react'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Popover } from '../../ui/popover.tsx'
import { statusText } from './filter-texts.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'
import type { OrderCounts } from './use-order-counts.ts'

const loadPanel = async () => (await import('./status-panel.tsx')).StatusPanel

type StatusButtonProps = { query: OrdersListQuery; counts: OrderCounts | null; go: Go }

/** Button with the chosen status, which opens the status panel. */
export function StatusButton({ query, counts, go }: StatusButtonProps) {
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
          load={loadPanel}
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
