import { OrderStatus, type OrdersQuery } from '@bancone/contract/orders'
import { NativeSelect } from '../../ui/native-select.tsx'
import { knownStatus } from './order-status.ts'

const sizes = [10, 20, 50, 100]
const anyStatus = 'tutti'

type OrdersFiltersProps = {
  query: OrdersQuery
  onChange: (filter: Partial<Pick<OrdersQuery, 'stato' | 'pageSize'>>) => void
}

export function OrdersFilters({ query, onChange }: OrdersFiltersProps) {
  const offered = sizes.includes(query.pageSize)
    ? sizes
    : [...sizes, query.pageSize].sort((a, b) => a - b)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
      <NativeSelect
        label="Filtra per stato"
        className="max-md:flex-1"
        value={query.stato ?? anyStatus}
        onChange={({ target }) => onChange({ stato: knownStatus(target.value) ?? undefined })}
      >
        <option value={anyStatus}>Tutti gli stati</option>
        {OrderStatus.options.map((status) => (
          <option key={status} value={status}>
            {status}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        label="Ordini per pagina"
        className="ml-auto"
        value={query.pageSize}
        onChange={({ target }) => onChange({ pageSize: Number(target.value) })}
      >
        {offered.map((size) => (
          <option key={size} value={size}>
            {size} per pagina
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}
