import type { ReactNode } from 'react'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from '../data/orders-search.ts'
import type { OrderCounts } from '../data/use-order-counts.ts'
import { PeriodPanel } from './period-panel.tsx'
import { SizeSelect, SortSelect } from './sorting.tsx'
import { StatusPanel } from './status-panel.tsx'
import { ViewsPanel } from './views-panel.tsx'

type FiltersSheetProps = ModalProps & {
  query: OrdersListQuery
  counts: OrderCounts | null
  go: Go
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b border-line py-4 first:pt-0 last:border-b-0">
      <h3 className="mb-2 font-medium">{title}</h3>
      {children}
    </section>
  )
}

/** The filters that do not fit on a phone. They apply immediately. */
export function FiltersSheet(props: FiltersSheetProps) {
  const { query, counts, onClose, onReturnFocus } = props
  // Replaces the sheet's history entry: a new entry would close the sheet.
  const go: Go = (change) => props.go(change, { replace: true })
  const footer = (
    <>
      {isFiltered(query) ? (
        <Button size="large" className="flex-1" onClick={() => go(NO_FILTER)}>
          Azzera filtri
        </Button>
      ) : null}
      <Button size="large" look="primary" className="flex-1" onClick={onClose}>
        Mostra gli ordini
      </Button>
    </>
  )
  return (
    <Sheet
      hasEntry
      title="Filtri"
      closeLabel="Chiudi i filtri"
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <Part title="Stato">
        <StatusPanel query={query} counts={counts} onChange={go} />
      </Part>
      <Part title="Periodo">
        <PeriodPanel query={query} onChange={go} />
      </Part>
      <Part title="Ordina per">
        <SortSelect query={query} go={go} className="w-full" />
      </Part>
      <Part title="Ordini per pagina">
        <SizeSelect query={query} go={go} className="w-full" />
      </Part>
      <Part title="Viste">
        <ViewsPanel query={query} replace />
      </Part>
    </Sheet>
  )
}
