import { PackageOpen } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { filterTexts } from './filter-texts.ts'
import { isFiltered, type OrdersListQuery } from './orders-search.ts'

/** Replaces an empty list: why it is empty, and how to change that. */
export function NoOrders({ query, onReset }: { query: OrdersListQuery; onReset: () => void }) {
  const filtered = isFiltered(query)
  return (
    <EmptyList
      icon={<PackageOpen />}
      title="Nessun ordine trovato"
      action={filtered ? <Button onClick={onReset}>Azzera filtri</Button> : null}
    >
      {filtered ? (
        <>
          <span className="wrap-anywhere">Hai cercato: {filterTexts(query).join(' • ')}.</span>
          {query.q === undefined
            ? null
            : ' Controlla come è scritto, oppure prova con una parola sola.'}
        </>
      ) : (
        'Gli ordini dei tuoi clienti compariranno qui appena arrivano, senza ricaricare la pagina.'
      )}
    </EmptyList>
  )
}
