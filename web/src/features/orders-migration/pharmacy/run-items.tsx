import {
  downloadMigrationItems,
  listMigrationItems,
  type MigrationItem,
  type MigrationItemKind,
  type MigrationRunDetail,
  retryMigration,
} from '@bancone/contract/migration-runs'
import { keepPreviousData } from '@tanstack/react-query'
import { Download, RotateCcw } from 'lucide-react'
import { call } from '../../../lib/api.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useFileDownload } from '../../../lib/use-file-download.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { CardListSkeleton } from '../../../ui/card-list-skeleton.tsx'
import { cn } from '../../../ui/class-names.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { ListPages } from '../../../ui/list-pages.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { differencesOf, isActive, itemNames, kindNames } from '../migration-texts.ts'
import { ACTIVE_POLL_MS, useMigrationAction } from '../use-migrations.ts'

const PAGE_SIZE = 50

/** Those that are still open, and of how many. */
function openText({ open, total }: MigrationRunDetail['items'][number]): string {
  return open === total ? formatNumber(total) : `${formatNumber(open)} di ${formatNumber(total)}`
}

/** Differences that the run found beyond those that are listed. */
function unlisted({ items, verification: found }: MigrationRunDetail): number {
  if (found === null) return 0
  const kinds: readonly MigrationItemKind[] = ['only_in_airtable', 'only_here', 'different']
  const listed = items.filter(({ kind }) => kinds.includes(kind))
  return differencesOf(found) - listed.reduce((sum, { total }) => sum + total, 0)
}

type RunItemsProps = {
  run: MigrationRunDetail
  /** The records that are shown; empty for all. */
  kind: MigrationItemKind | ''
  page: number
  /** Whether a run can start now. */
  canStart: boolean
  onKind: (kind: MigrationItemKind | '') => void
  onPage: (page: number) => void
  onStarted: () => void
}

/** The records of a run that need attention: the reason, what to do, the file, and another try. */
export function RunItems(props: RunItemsProps) {
  const { run, kind, page, canStart, onKind, onPage, onStarted } = props
  const file = useFileDownload()
  const retrying = useMigrationAction()
  const params = { runId: run.id }
  const ofKind = kind === '' ? {} : { kind }
  const query = useEndpoint(
    listMigrationItems,
    { params, query: { page, pageSize: PAGE_SIZE, ...ofKind } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: isActive(run) ? ACTIVE_POLL_MS : false,
    },
  )
  const more = isActive(run) ? 0 : unlisted(run)
  const canRetry =
    run.mode !== 'dry_run' &&
    !isActive(run) &&
    run.items.some(({ kind: one, open }) => (one === 'refused' || one === 'picture') && open > 0)

  const retry = () =>
    retrying.start(async () => {
      await call(retryMigration, { params })
      onStarted()
    })

  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-base font-medium">Righe da guardare</h3>
      <div role="group" aria-label="Filtra le righe" className="flex flex-wrap gap-2">
        {run.items.map((item) => (
          <Button
            key={item.kind}
            aria-pressed={item.kind === kind}
            onClick={() => onKind(item.kind === kind ? '' : item.kind)}
          >
            {kindNames[item.kind]}
            <span className="text-muted tabular-nums">{openText(item)}</span>
          </Button>
        ))}
      </div>
      {more > 0 ? (
        <p className="text-sm text-pretty text-muted tabular-nums">
          {more === 1
            ? "Un'altra differenza non è in elenco"
            : `Altre ${formatNumber(more)} differenze non sono in elenco`}
          : dopo la migrazione, verifica di nuovo.
        </p>
      ) : null}
      <FailureAlert failure={file.failure} />
      <FailureAlert failure={retrying.failure} />
      <div className="flex flex-wrap gap-2.5">
        {canRetry ? (
          <Button inactive={retrying.busy || !canStart} onClick={retry}>
            <RotateCcw aria-hidden />
            {retrying.busy ? 'Avvio…' : 'Riprova solo queste'}
          </Button>
        ) : null}
        <Button
          inactive={file.busy}
          onClick={() =>
            file.save(
              downloadMigrationItems,
              { params, query: ofKind },
              `migrazione-${run.pharmacy.pharmacy_id}.csv`,
            )
          }
        >
          <Download aria-hidden />
          Scarica il CSV
        </Button>
      </div>
      <QueryStates
        query={query}
        title="Errore nel caricamento delle righe"
        skeleton={<CardListSkeleton text="Caricamento delle righe in corso…" />}
      >
        {({ items, pagination: { totalPages, totalRecords } }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">Non c'è nessuna riga di questo tipo.</p>
          ) : (
            <>
              <RunItemList items={items} />
              <ListPages
                label="Pagine delle righe"
                text={formatCount(totalRecords, 'riga', 'righe')}
                page={page}
                pages={totalPages}
                onPage={onPage}
              />
            </>
          )
        }
      </QueryStates>
    </div>
  )
}

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

function RunItemList({ items }: { items: readonly MigrationItem[] }) {
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
