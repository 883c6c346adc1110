import { suggestSearch } from '@bancone/contract/order-search'
import { PackageOpen } from 'lucide-react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from '../data/orders-search.ts'
import { filterTexts } from '../filter/filter-texts.ts'

/** Buttons for the words nearest to those that were not found; a hint without any. */
function Suggestions({ q, onSearch }: { q: string; onSearch: (words: string) => void }) {
  const { data } = useEndpoint(suggestSearch, { body: { q } })
  const suggestions = data?.suggestions ?? []
  return (
    // There before its content changes, which screen readers then announce.
    <span role="status">
      {suggestions.length === 0 ? (
        ' Controlla come è scritto, oppure prova con una parola sola.'
      ) : (
        <span className="mt-2 flex flex-wrap items-center justify-center gap-2">
          Forse cercavi:
          {suggestions.map((words) => (
            <Button key={words} size="small" onClick={() => onSearch(words)}>
              {words}
            </Button>
          ))}
        </span>
      )}
    </span>
  )
}

/** Replaces an empty list: why it is empty, and how to change that. */
export function NoOrders({ query, go }: { query: OrdersListQuery; go: Go }) {
  const filtered = isFiltered(query)
  return (
    <EmptyList
      icon={<PackageOpen />}
      title="Nessun ordine trovato"
      action={filtered ? <Button onClick={() => go(NO_FILTER)}>Azzera filtri</Button> : null}
    >
      {filtered ? (
        <>
          <span className="wrap-anywhere">Hai cercato: {filterTexts(query).join(' • ')}.</span>
          {query.q === undefined ? null : <Suggestions q={query.q} onSearch={(q) => go({ q })} />}
        </>
      ) : (
        'Gli ordini dei tuoi clienti compariranno qui appena arrivano, senza ricaricare la pagina.'
      )}
    </EmptyList>
  )
}
