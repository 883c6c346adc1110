import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { DatabaseBackup, RefreshCw } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { AllProgress } from './all-progress.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { MigrationCards, MigrationsSkeleton } from './migration-cards.tsx'
import { MigrationDialog, type MigrationQuestion } from './migration-dialog.tsx'
import { MigrationFilters } from './migration-filters.tsx'
import { MigrationList } from './migration-list.tsx'
import { isListed, useMigrationsAddress } from './migrations-address.ts'
import { NoToken, RunAnnouncer } from './run-parts.tsx'
import { type MigrationOverview, useMigrationEnds, useMigrations } from './use-migrations.ts'

function runsOf({ backup, standard }: Pick<MigrationOverview, 'backup' | 'standard'>) {
  return [...backup, ...standard].map(({ run }) => run)
}

const noPharmacies = { backup: [], standard: [] }

/** How far the orders of each pharmacy are out of Airtable, and the runs that move them. */
export function MigrationsPage() {
  const query = useMigrations()
  const { data } = query
  const runs = useMemo(() => runsOf(data ?? noPharmacies), [data])
  useMigrationEnds(runs, data?.progress)
  const now = useNow()
  const [address, change] = useMigrationsAddress()
  const { q, stato, page, altre } = address
  const isFiltered = q.trim() !== '' || stato !== ''
  const found = (pharmacies: readonly MigrationPharmacy[]) =>
    pharmacies.filter((pharmacy) => isListed(pharmacy, address))
  const refresh = useRef<HTMLButtonElement>(null)
  const asked = useOpened<MigrationQuestion>(refresh)
  const all = data?.backup.filter(({ hasAirtable }) => hasAirtable).length ?? 0
  const canStartAll = data?.isConfigured && all > 0 && data.progress?.status !== 'running'

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Migrazione ordini</PageTitle>
        <div className="flex flex-wrap items-center gap-2">
          <Button ref={refresh} inactive={query.isFetching} onClick={() => void query.refetch()}>
            <RefreshCw aria-hidden />
            Aggiorna
          </Button>
          <Button
            look="primary"
            aria-haspopup="dialog"
            inactive={!canStartAll}
            onClick={({ currentTarget }) =>
              asked.open({ kind: 'migrate-all', pharmacies: all }, currentTarget)
            }
          >
            <DatabaseBackup aria-hidden />
            Migra Tutte
          </Button>
        </div>
      </div>
      <RunAnnouncer runs={runs.filter((run) => run?.batchId === null)} />
      <QueryStates
        query={query}
        title="Errore nel caricamento delle farmacie"
        skeleton={<MigrationsSkeleton />}
      >
        {({ cards, isConfigured, progress, backup, standard }) => (
          <>
            {isConfigured ? null : <NoToken />}
            {isConfigured && all === 0 ? (
              <p className="max-w-prose text-sm text-pretty text-muted">
                «Migra Tutte» riguarda le farmacie con il backup attivo e con Airtable: non ce n'è
                ancora nessuna. Le altre si migrano una per una.
              </p>
            ) : null}
            <MigrationCards cards={cards} />
            {progress ? (
              <AllProgress
                progress={progress}
                onCancel={(opener) => asked.open({ kind: 'cancel-all' }, opener)}
              />
            ) : null}
            {cards.total === 0 ? (
              <EmptyList icon={<DatabaseBackup />} title="Nessuna farmacia">
                Qui vedi a che punto è ogni farmacia attiva, appena ce n'è una.
              </EmptyList>
            ) : (
              <>
                <MigrationFilters
                  address={address}
                  found={isFiltered ? found(backup).length + found(standard).length : null}
                  onChange={(filter, options) => change({ ...filter, altre: 1 }, options)}
                />
                <MigrationList
                  title="Farmacie con backup attivo"
                  intro="I loro ordini arrivano dal database."
                  empty={
                    backup.length > 0
                      ? 'Nessuna farmacia trovata.'
                      : 'Nessuna farmacia usa ancora gli ordini del database.'
                  }
                  pharmacies={found(backup)}
                  page={page}
                  onPage={(next) => change({ page: next, altre })}
                  now={now}
                  isConfigured={isConfigured}
                  onAsk={asked.open}
                />
                <MigrationList
                  title="Farmacie standard"
                  intro="I loro ordini arrivano da Airtable; senza Airtable sono nel database."
                  empty={
                    standard.length > 0
                      ? 'Nessuna farmacia trovata.'
                      : 'Tutte le farmacie hanno il backup attivo.'
                  }
                  pharmacies={found(standard)}
                  page={altre}
                  onPage={(next) => change({ altre: next, page })}
                  now={now}
                  isConfigured={isConfigured}
                  onAsk={asked.open}
                />
              </>
            )}
            <HowItWorks />
          </>
        )}
      </QueryStates>
      {asked.item ? (
        <MigrationDialog
          question={asked.item}
          onClose={asked.close}
          onReturnFocus={asked.returnFocus}
        />
      ) : null}
    </div>
  )
}
