import { OrderSort } from '@bancone/contract/orders'
import type { ColumnSort } from '../../../ui/data-table.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { type Go, type OrdersListQuery, useOrdersSearch } from '../data/orders-search.ts'

const texts: Record<OrderSort, string> = {
  recenti: 'Più recenti',
  'meno-recenti': 'Meno recenti',
  aggiornati: 'Ultimo aggiornamento',
  cliente: 'Cliente A-Z',
}

export const sortings = OrderSort.options.map((sort) => ({ sort, text: texts[sort] }))

/** The sort order without `ordina` in the URL. */
const DEFAULT_SORT: OrderSort = 'recenti'

/** The sort order, for the end of a sentence. */
const captions: Record<OrderSort, string> = {
  recenti: 'dal più recente',
  'meno-recenti': 'dal meno recente',
  aggiornati: "dall'ultimo aggiornato",
  cliente: 'per cliente dalla A alla Z',
}

/** The current sort order, and the columns that the list can be sorted by. */
export function useSorting(): { caption: string; sorts: ReadonlyMap<string, ColumnSort> } {
  const [query, go] = useOrdersSearch()
  const sort = query.ordina ?? DEFAULT_SORT
  const byDate = { recenti: 'descending', 'meno-recenti': 'ascending' } as const
  return {
    caption: captions[sort],
    sorts: new Map<string, ColumnSort>([
      [
        'Cliente',
        {
          order: sort === 'cliente' ? 'ascending' : 'none',
          onSort: () => go({ ordina: sort === 'cliente' ? undefined : 'cliente' }),
        },
      ],
      [
        'Data',
        {
          order: sort === 'recenti' || sort === 'meno-recenti' ? byDate[sort] : 'none',
          onSort: () => go({ ordina: sort === 'recenti' ? 'meno-recenti' : undefined }),
        },
      ],
    ]),
  }
}

const sizes = [10, 20, 50, 100]

type SelectProps = { query: OrdersListQuery; go: Go; className?: string }

export function SortSelect({ query, go, className = '' }: SelectProps) {
  return (
    <NativeSelect
      label="Ordina per"
      className={className}
      value={query.ordina ?? DEFAULT_SORT}
      onChange={({ target }) => {
        const sort = OrderSort.parse(target.value)
        go({ ordina: sort === DEFAULT_SORT ? undefined : sort })
      }}
    >
      {sortings.map(({ sort, text }) => (
        <option key={sort} value={sort}>
          {text}
        </option>
      ))}
    </NativeSelect>
  )
}

export function SizeSelect({ query, go, className = '' }: SelectProps) {
  const offered = sizes.includes(query.pageSize)
    ? sizes
    : [...sizes, query.pageSize].sort((a, b) => a - b)
  return (
    <NativeSelect
      label="Ordini per pagina"
      className={className}
      value={query.pageSize}
      onChange={({ target }) => go({ pageSize: Number(target.value) })}
    >
      {offered.map((size) => (
        <option key={size} value={size}>
          {size} per pagina
        </option>
      ))}
    </NativeSelect>
  )
}
