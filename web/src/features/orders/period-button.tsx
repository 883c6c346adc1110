import { CalendarRange, ChevronDown } from 'lucide-react'
import { LatePart } from '../../lib/late-part.tsx'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { sayMissing } from '../../ui/missing-part.ts'
import { Popover } from '../../ui/popover.tsx'
import type { Go, OrdersAsked } from './orders-search.ts'
import { periodText } from './period-texts.ts'

const loadPanel = async () => (await import('./period-panel.tsx')).PeriodPanel

/** Of which days, said on the button itself. */
export function PeriodButton({ query, go }: { query: OrdersAsked; go: Go }) {
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
        <LatePart
          load={loadPanel}
          subject="period"
          props={{
            query,
            onChange(days) {
              close()
              go(days)
            },
          }}
          onMissing={() => {
            sayMissing()
            close()
          }}
        />
      )}
    </Popover>
  )
}
