import { CalendarRange, ChevronDown } from 'lucide-react'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { Go, OrdersListQuery } from './orders-search.ts'
import { periodText } from './period-texts.ts'

const loadPanel = async () => (await import('./period-panel.tsx')).PeriodPanel

/** Button with the selected period, which opens the period panel. */
export function PeriodButton({ query, go }: { query: OrdersListQuery; go: Go }) {
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
          load={loadPanel}
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
