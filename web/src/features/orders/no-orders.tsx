import { PackageOpen } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { filterTexts } from './filter-texts.ts'
import { isFiltered, type OrdersAsked } from './orders-search.ts'

/** In the place of the list: why there is nothing in it, and what to do about that. */
export function NoOrders({ asked, onReset }: { asked: OrdersAsked; onReset: () => void }) {
  const filtered = isFiltered(asked)
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState
        icon={<PackageOpen />}
        title="Nessun ordine trovato"
        action={filtered ? <Button onClick={onReset}>Azzera filtri</Button> : null}
      >
        {filtered ? (
          <>
            <span className="wrap-anywhere">Hai cercato: {filterTexts(asked).join(' • ')}.</span>
            {asked.q === undefined
              ? null
              : ' Controlla come è scritto, oppure prova con una parola sola.'}
          </>
        ) : (
          'Gli ordini dei tuoi clienti compariranno qui appena arrivano, senza ricaricare la pagina.'
        )}
      </EmptyState>
    </div>
  )
}
