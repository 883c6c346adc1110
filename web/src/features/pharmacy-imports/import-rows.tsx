import {
  type ImportRow,
  listImportRows,
  type PharmacyImport,
  type RowOutcome,
} from '@bancone/contract/pharmacy-imports'
import { keepPreviousData } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { ListPages } from '../../ui/list-pages.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { outcomeText, rowCount, rowDetails } from './import-texts.ts'

const PAGE_SIZE = 50
const POLL_MS = 3_000

type ImportRowsProps = {
  run: PharmacyImport
  /** The rows that are shown; empty for all. */
  outcome: RowOutcome | ''
  page: number
  onPage: (page: number) => void
}

/** The rows of an import, with what they mean. */
export function ImportRows({ run, outcome, page, onPage }: ImportRowsProps) {
  const query = useEndpoint(
    listImportRows,
    {
      params: { importId: run.id },
      query: { page, pageSize: PAGE_SIZE, ...(outcome !== '' && { outcome }) },
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: run.state === 'running' ? POLL_MS : false,
    },
  )

  function go(next: number) {
    onPage(next)
    window.scrollTo({ top: 0 })
  }

  return (
    <QueryStates
      query={query}
      title="Errore nel caricamento delle righe"
      skeleton={<CardListSkeleton text="Caricamento delle righe in corso…" />}
    >
      {({ rows, pagination: { totalPages, totalRecords } }) =>
        rows.length === 0 ? (
          <EmptyList icon={<FileSpreadsheet />} title="Nessuna riga">
            In questo file non c'è nessuna riga con questo esito.
          </EmptyList>
        ) : (
          <>
            <ImportRowList rows={rows} state={run.state} />
            <ListPages
              label="Pagine delle righe"
              text={rowCount(totalRecords)}
              page={page}
              pages={totalPages}
              onPage={go}
            />
          </>
        )
      }
    </QueryStates>
  )
}

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
function ImportRowList({ rows, state }: { rows: readonly ImportRow[]; state: RowProps['state'] }) {
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
