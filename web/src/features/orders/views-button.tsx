import { Bookmark, ChevronDown } from 'lucide-react'
import { LatePart } from '../../lib/late-part.tsx'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { sayMissing } from '../../ui/missing-part.ts'
import { Popover } from '../../ui/popover.tsx'
import type { OrdersAsked } from './orders-search.ts'
import { useActiveView } from './views-active.ts'

const loadPanel = async () => (await import('./views-panel.tsx')).ViewsPanel

/** The saved views; the one that is shown is named on the button. */
export function ViewsButton({ query }: { query: OrdersAsked }) {
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
        <LatePart
          load={loadPanel}
          subject="views"
          props={{ query, onChosen: close }}
          onMissing={() => {
            sayMissing()
            close()
          }}
        />
      )}
    </Popover>
  )
}
