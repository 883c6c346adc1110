import {
  downloadMigrationItems,
  listMigrationItems,
  type MigrationItemKind,
  type MigrationRun,
  retryMigration,
} from '@bancone/contract/migration-runs'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { Download, RotateCcw } from 'lucide-react'
import { call } from '../../../lib/api.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useFileDownload } from '../../../lib/use-file-download.ts'
import { Button } from '../../../ui/button.tsx'
import { CardListSkeleton } from '../../../ui/card-list-skeleton.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { ListPages } from '../../../ui/list-pages.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { isActive, kindNames, migrationProblem } from '../migration-texts.ts'
import { ACTIVE_POLL_MS, invalidateMigrations } from '../use-migrations.ts'
import { RunItemList } from './run-item-list.tsx'

const PAGE_SIZE = 50

/** The kinds of records that a run has, with how many of each it counted. */
export function kindsOf({ counts, verification: found }: MigrationRun) {
  const all: [MigrationItemKind, number][] = [
    ['refused', counts.refused],
    ['conflict', counts.conflicts],
    ['only_in_airtable', found?.onlyInAirtable ?? 0],
    ['only_here', found?.onlyHere ?? 0],
    ['different', found?.different ?? 0],
    ['picture', (found?.pictures.missing ?? 0) + (found?.pictures.refused ?? 0)],
  ]
  return all.filter(([, count]) => count > 0)
}

type RunItemsProps = {
  run: MigrationRun
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
  const client = useQueryClient()
  const file = useFileDownload()
  const retrying = useAction()
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
  const kinds = kindsOf(run)
  const canRetry =
    run.mode === 'full' &&
    !isActive(run) &&
    kinds.some(([one]) => one === 'refused' || one === 'picture')

  function retry() {
    retrying.clearFailure()
    void retrying.run(async () => {
      try {
        await call(retryMigration, { params })
        onStarted()
      } finally {
        await invalidateMigrations(client)
      }
    }, migrationProblem)
  }

  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-base font-medium">Righe da guardare</h3>
      <div role="group" aria-label="Filtra le righe" className="flex flex-wrap gap-2">
        {kinds.map(([one, count]) => (
          <Button
            key={one}
            aria-pressed={one === kind}
            onClick={() => onKind(one === kind ? '' : one)}
          >
            {kindNames[one]}
            <span className="text-muted tabular-nums">{formatNumber(count)}</span>
          </Button>
        ))}
      </div>
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
                text={totalRecords === 1 ? '1 riga' : `${formatNumber(totalRecords)} righe`}
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
