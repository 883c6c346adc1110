import type { MigrationProgress } from '@bancone/contract/migration-runs'
import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { CircleStop, DatabaseBackup, RefreshCw } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { MigrationDialog, type MigrationQuestion } from './migration-dialog.tsx'
import { MigrationFilters } from './migration-filters.tsx'
import { MigrationList } from './migration-list.tsx'
import { errorCount, orderCount, pharmacyCount } from './migration-texts.ts'
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
        skeleton={<CardListSkeleton text="Caricamento delle migrazioni in corso…" />}
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
      {asked.item ? <MigrationDialog question={asked.item} {...asked.modal} /> : null}
    </div>
  )
}

const titles: Record<MigrationProgress['status'], string> = {
  idle: 'Migrazione di tutte le farmacie',
  running: 'Migrazione di tutte le farmacie in corso',
  completed: 'Ultima migrazione di tutte le farmacie: completata',
  error: 'Ultima migrazione di tutte le farmacie: con errori',
}

type AllProgressProps = {
  progress: MigrationProgress
  onCancel: (opener: HTMLElement) => void
}

/** What all runs of 'Migra Tutte' are doing, or have done. */
function AllProgress({ progress, onCancel }: AllProgressProps) {
  const { status, total, processed, success, errors, migrated, errorMessages } = progress
  const isRunning = status === 'running'
  return (
    <section
      aria-labelledby="all-progress"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
          <h2 id="all-progress" className="text-lg leading-snug font-medium">
            {titles[status]}
          </h2>
          <p className="text-sm wrap-anywhere text-muted tabular-nums">
            {isRunning ? 'Avviata' : 'Finita'} il{' '}
            {formatDateTime(progress.endedAt ?? progress.createdAt)}
            {progress.startedBy === null ? null : ` • ${progress.startedBy}`}
          </p>
        </div>
        {isRunning ? (
          <Button aria-haspopup="dialog" onClick={({ currentTarget }) => onCancel(currentTarget)}>
            <CircleStop aria-hidden />
            Interrompi
          </Button>
        ) : null}
      </div>
      {isRunning ? (
        <ProgressBar
          label="Migrazione di tutte le farmacie"
          text={`${formatNumber(processed)} di ${pharmacyCount(total)}`}
          percent={total === 0 ? 0 : Math.floor((processed / total) * 100)}
        />
      ) : null}
      <p role="status" className="text-sm text-pretty wrap-anywhere">
        {isRunning
          ? `${progress.currentPharmacy ?? 'In attesa della prossima farmacia'}. Puoi chiudere questa pagina: la migrazione continua da sola.`
          : `${formatNumber(success)}/${formatNumber(total)} farmacie migrate, ${orderCount(migrated)} ${migrated === 1 ? 'scritto' : 'scritti'}${errors > 0 ? `, ${errorCount(errors)}` : ''}.`}
      </p>
      {errorMessages.length > 0 ? (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-accent pointer-coarse:py-3">
            {errorCount(errorMessages.length)}
          </summary>
          <ul className="list-disc pl-5 wrap-anywhere">
            {errorMessages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  )
}

const steps = [
  'Apri una farmacia e avvia una simulazione: vedi che cosa cambierebbe, e nulla viene scritto.',
  'Migra: gli ordini di Airtable vengono copiati nel database, a blocchi di 50. Un campo che non si può leggere resta fuori, un record illeggibile non viene importato: trovi in elenco il motivo e il rimedio.',
  'Verifica: ordini, colonne e immagini di Airtable e del database vengono confrontati uno per uno. Contare non basta.',
  'Passa alla fase Confronto, poi a Database: da quel momento le pagine leggono solo dal database. Le modifiche vanno ancora in Airtable, e si può tornare indietro.',
  'Dopo 14 giorni Airtable si può lasciare del tutto.',
]

function HowItWorks() {
  return (
    <CardSection title="Come Funziona">
      <ol className="flex max-w-prose list-decimal flex-col gap-1.5 pl-5 text-sm text-pretty text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="max-w-prose text-sm text-pretty text-muted">
        «Migra Tutte» riguarda solo le farmacie con il backup attivo. Le operazioni continuano anche
        a pagina chiusa, e ogni amministratore vede le stesse.
      </p>
    </CardSection>
  )
}

const cards: readonly { count: keyof MigrationOverview['cards']; label: string }[] = [
  { count: 'total', label: 'Farmacie totali' },
  { count: 'backupActive', label: 'Backup attivo' },
  { count: 'toSync', label: 'Da sincronizzare' },
  { count: 'migrating', label: 'In migrazione' },
]

function MigrationCards({ cards: counts }: Pick<MigrationOverview, 'cards'>) {
  return (
    <dl className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
      {cards.map(({ count, label }) => (
        <div key={count} className="rounded-card border border-line bg-surface px-4 py-3">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-2xl font-medium tracking-tight tabular-nums">
            {formatNumber(counts[count])}
          </dd>
        </div>
      ))}
    </dl>
  )
}
