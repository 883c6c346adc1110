import { listMigrationRuns, type MigrationRun } from '@bancone/contract/migration-runs'
import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatCount, formatDateTime, formatNumber } from '../../../lib/format.ts'
import { CardListSkeleton } from '../../../ui/card-list-skeleton.tsx'
import { ListPages } from '../../../ui/list-pages.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { modeNames } from '../migration-texts.ts'
import { RunState } from '../run-parts.tsx'

const PAGE_SIZE = 10

function outcome({ mode, counts, verification }: MigrationRun): string {
  if (mode === 'verify' || mode === 'back') {
    if (verification === null) return ''
    return verification.equal ? 'Nessuna differenza' : 'Con differenze'
  }
  return `Letti ${formatNumber(counts.read)}, nuovi ${formatNumber(counts.new)}, cambiati ${formatNumber(counts.changed)}, da correggere ${formatNumber(counts.refused + counts.toFix)}`
}

type RunHistoryProps = {
  pharmacyId: string
  /** The run in progress or the last one, which is read more often than the list. */
  latest: MigrationRun | null
  shownId: string
  page: number
  onPage: (page: number) => void
  onOpen: () => void
}

/** All runs of the pharmacy, newest first; each leads to its result. */
export function RunHistory({ pharmacyId, latest, shownId, page, onPage, onOpen }: RunHistoryProps) {
  const query = useEndpoint(
    listMigrationRuns,
    { query: { pharmacyId, page, pageSize: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  )
  return (
    <section aria-labelledby="history" className="flex flex-col gap-2.5">
      <h2 id="history" className="text-lg leading-snug font-medium">
        Storico
      </h2>
      <QueryStates
        query={query}
        title="Errore nel caricamento dello storico"
        skeleton={<CardListSkeleton text="Caricamento dello storico in corso…" />}
      >
        {({ runs, pagination: { totalPages, totalRecords } }) =>
          runs.length === 0 ? (
            <p className="text-sm text-muted">
              Qui vedi ogni operazione con il suo risultato. Comincia con una simulazione.
            </p>
          ) : (
            <>
              <ul className="divide-y divide-line rounded-card border border-line bg-surface">
                {runs
                  .map((listed) => (listed.id === latest?.id ? latest : listed))
                  .map((run) => (
                    <li
                      key={run.id}
                      className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 transition-colors hover:bg-sunken"
                    >
                      <div className="min-w-0 flex-1 basis-56">
                        <Link
                          to={{
                            search: `?operazione=${run.id}${page > 1 ? `&storico=${page}` : ''}`,
                          }}
                          onClick={onOpen}
                          aria-current={run.id === shownId ? 'true' : undefined}
                          className="font-medium text-accent underline-offset-4 after:absolute after:inset-0 hover:underline"
                        >
                          {modeNames[run.mode]} del {formatDateTime(run.createdAt)}
                        </Link>
                        <p className="text-sm wrap-anywhere text-muted tabular-nums">
                          {[outcome(run), run.startedBy].filter(Boolean).join(' • ')}
                        </p>
                      </div>
                      <RunState run={run} />
                    </li>
                  ))}
              </ul>
              <ListPages
                label="Pagine dello storico"
                text={formatCount(totalRecords, 'operazione', 'operazioni')}
                page={page}
                pages={totalPages}
                onPage={onPage}
              />
            </>
          )
        }
      </QueryStates>
    </section>
  )
}
