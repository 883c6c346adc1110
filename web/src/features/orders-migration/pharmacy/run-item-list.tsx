import type { MigrationItem } from '@bancone/contract/migration-runs'
import { formatDateTime } from '../../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { cn } from '../../../ui/class-names.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { itemNames } from '../migration-texts.ts'

const cell = 'border-b border-line px-2.5 py-2.5 align-top first:pl-3.5 last:pr-3.5'

const columns = [
  { name: 'Record', width: 'w-48' },
  { name: 'Tipo', width: 'w-32' },
  { name: 'Colonne', width: 'w-40' },
  { name: 'Motivo e rimedio', width: '' },
]

type ItemProps = { item: MigrationItem }

function keyOf({ recordId, kind }: MigrationItem): string {
  return `${kind}-${recordId}`
}

function orderText({ orderNumber }: MigrationItem): string {
  return orderNumber === null ? 'Senza ID Ordine' : `Ordine ${orderNumber}`
}

function Explanation({ item: { reason, advice, resolvedAt } }: ItemProps) {
  return (
    <>
      <p className="text-pretty wrap-anywhere">{reason}</p>
      {resolvedAt === null ? (
        <p className="text-pretty wrap-anywhere text-muted">{advice}</p>
      ) : (
        <p className="text-confirmed tabular-nums">Risolto il {formatDateTime(resolvedAt)}</p>
      )}
    </>
  )
}

export function RunItemList({ items }: { items: readonly MigrationItem[] }) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Righe da guardare" className="flex flex-col gap-2.5">
        {items.map((item) => (
          <li
            key={keyOf(item)}
            className="flex flex-col gap-1 rounded-card border border-line p-3.5 text-sm"
          >
            <p className="font-medium wrap-anywhere tabular-nums">{orderText(item)}</p>
            <p className="wrap-anywhere text-muted tabular-nums">
              {[item.recordId, itemNames[item.kind], ...item.columns].join(' • ')}
            </p>
            <Explanation item={item} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <DataTable caption="Righe da guardare" columns={columns} cell={cell}>
      {items.map((item) => (
        <tr key={keyOf(item)}>
          <th scope="row" className={cn(cell, 'text-left font-normal tabular-nums')}>
            <span className="block font-medium wrap-anywhere">{orderText(item)}</span>
            <span className="block text-xs wrap-anywhere text-muted">{item.recordId}</span>
          </th>
          <td className={cell}>{itemNames[item.kind]}</td>
          <td className={cn(cell, 'wrap-anywhere')}>{item.columns.join(', ')}</td>
          <td className={cell}>
            <Explanation item={item} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
