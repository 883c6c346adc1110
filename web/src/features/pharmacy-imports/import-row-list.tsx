import type { ImportRow, PharmacyImport, RowOutcome } from '@bancone/contract/pharmacy-imports'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { outcomeText, rowDetails } from './import-texts.ts'

const cell = 'border-b border-line px-2.5 py-2.5 align-top first:pl-3.5 last:pr-3.5'

const columns = [
  { name: 'Riga', width: 'w-18', numeric: true },
  { name: 'Farmacia', width: 'w-[36%]' },
  { name: 'Esito', width: 'w-30' },
  { name: 'Dettagli', width: '' },
]

type RowProps = { row: ImportRow; state: PharmacyImport['state'] }

const looks: Record<RowOutcome, string> = {
  new: 'border-confirmed-line bg-confirmed-soft text-confirmed',
  changed: 'border-pending-line bg-pending-soft text-pending',
  same: 'border-line bg-sunken text-muted',
  refused: 'border-danger-line bg-danger-soft text-danger',
}

function Outcome({ row, state }: RowProps) {
  const isWaiting = state !== 'preview' && !row.isDone && row.outcome !== 'refused'
  return (
    <span
      className={cn(
        'inline-flex h-6 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        isWaiting ? looks.same : looks[row.outcome],
      )}
    >
      {outcomeText(row, state)}
    </span>
  )
}

function Details({ row }: { row: ImportRow }) {
  const details = rowDetails(row)
  if (details.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm text-pretty wrap-anywhere">
      {details.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

function address({ code, email }: ImportRow): string {
  return [code, email].filter((text) => text !== '').join(' • ')
}

/** Rows of a file, with what they mean. */
export function ImportRowList({
  rows,
  state,
}: {
  rows: readonly ImportRow[]
  state: RowProps['state']
}) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Righe del file" className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {rows.map((row) => (
          <li
            key={row.line}
            className="flex flex-col gap-1.5 rounded-card border border-line bg-surface p-3.5"
          >
            <div className="flex items-start justify-between gap-2">
              <p className="leading-snug font-medium wrap-anywhere">{row.name || address(row)}</p>
              <Outcome row={row} state={state} />
            </div>
            <p className="text-sm wrap-anywhere text-muted tabular-nums">
              Riga {row.line}
              {address(row) === '' ? null : ` • ${address(row)}`}
            </p>
            <Details row={row} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <DataTable caption="Righe del file" columns={columns} cell={cell}>
      {rows.map((row) => (
        <tr key={row.line}>
          <td className={cn(cell, 'text-right text-muted tabular-nums')}>{row.line}</td>
          <th scope="row" className={cn(cell, 'text-left wrap-anywhere')}>
            {row.name}
            <span className="block text-xs font-normal text-muted">{address(row)}</span>
          </th>
          <td className={cell}>
            <Outcome row={row} state={state} />
          </td>
          <td className={cell}>
            <Details row={row} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
