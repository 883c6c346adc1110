import { Bookmark, ChevronDown } from 'lucide-react'
import { buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Popover } from '../../ui/popover.tsx'
import type { OrdersListQuery } from './orders-search.ts'
import { useActiveView } from './views-active.ts'

const loadPanel = async () => (await import('./views-panel.tsx')).ViewsPanel

/** Button with the name of the active view, which opens the saved views. */
export function ViewsButton({ query }: { query: OrdersListQuery }) {
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
        <LazyBoundary load={loadPanel} props={{ query, onChosen: close }} onLoadError={close} />
      )}
    </Popover>
  )
}
