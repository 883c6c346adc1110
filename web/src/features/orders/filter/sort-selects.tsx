import { OrderSort } from '@bancone/contract/orders'
import { NativeSelect } from '../../../ui/native-select.tsx'
import type { Go, OrdersListQuery } from '../data/orders-search.ts'
import { DEFAULT_SORT, sortings } from './sorting.ts'

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
