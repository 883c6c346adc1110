import { listAdminPharmacies } from '@bancone/contract/admin-pharmacies'
import { getAdminStatistics } from '@bancone/contract/administrators'
import { paths } from '@bancone/contract/pages'
import {
  getPharmacyImport,
  listImportRows,
  listPharmacyImports,
  type PharmacyImport,
  RowOutcome,
} from '@bancone/contract/pharmacy-imports'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { cn } from '../../ui/class-names.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { ImportRows } from './import-rows.tsx'
import { FileChoice, ImportStart } from './import-start.tsx'
import { ImportSummary } from './import-summary.tsx'
import { outcomeCounts, stateTitles } from './import-texts.ts'

/** How often a running import is read. */
const POLL_MS = 1_500

const skeleton = <CardListSkeleton text="Caricamento dell'importazione in corso…" />

type ShownImportProps = {
  importId: string
  /** Whether it has just replaced the button that sent its file. */
  takesFocus: boolean
  /** The choice of another file, shown once the import has ended. */
  children: ReactNode
}

/** One import: its summary, counts and rows. */
function ShownImport({ importId, takesFocus, children }: ShownImportProps) {
  const client = useQueryClient()
  const [{ righe, page }, change] = useImportAddress()
  const query = useEndpoint(
    getPharmacyImport,
    { params: { importId } },
    { refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false) },
  )
  const state = query.data?.state
  const before = useRef(state)
  useEffect(() => {
    if (before.current === 'running' && state !== 'running') {
      for (const endpoint of [
        listImportRows,
        listPharmacyImports,
        listAdminPharmacies,
        getAdminStatistics,
      ]) {
        void client.invalidateQueries({ queryKey: endpointKey(endpoint) })
      }
    }
    before.current = state
  }, [client, state])

  return (
    <QueryStates query={query} title="Errore nel caricamento dell'importazione" skeleton={skeleton}>
      {(run) => (
        <>
          <ImportSummary
            run={run}
            takesFocus={takesFocus}
            onDiscarded={() => change({ importazione: '', righe: '' }, { replace: true })}
          >
            {children}
          </ImportSummary>
          <ImportCounts
            counts={run.counts}
            chosen={righe}
            onChoose={(chosen) => change({ righe: chosen }, { replace: true })}
          />
          <ImportRows
            run={run}
            outcome={righe}
            page={page}
            onPage={(next) => change({ page: next })}
          />
        </>
      )}
    </QueryStates>
  )
}

/** Imports of many pharmacies from a file. */
export function ImportPage() {
  const client = useQueryClient()
  const [{ importazione }, change] = useImportAddress()
  const [checkedId, setCheckedId] = useState<string | null>(null)
  const query = useEndpoint(listPharmacyImports, {})

  function show(checked: PharmacyImport) {
    const params = { importId: checked.id }
    client.setQueryData(endpointKey(getPharmacyImport, { params }), checked)
    void client.invalidateQueries({ queryKey: endpointKey(listPharmacyImports) })
    setCheckedId(checked.id)
    change({ importazione: checked.id, righe: checked.counts.refused > 0 ? 'refused' : '' })
  }

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Importa farmacie</PageTitle>
        <Link to={paths.adminPharmacies} className={buttonStyle({})}>
          Torna alle farmacie
        </Link>
      </div>
      <QueryStates
        query={query}
        title="Errore nel caricamento delle importazioni"
        skeleton={skeleton}
      >
        {({ imports }) => {
          const shown = importazione || imports[0]?.id
          return (
            <>
              {shown === undefined ? (
                <ImportStart onChecked={show} />
              ) : (
                <ShownImport key={shown} importId={shown} takesFocus={shown === checkedId}>
                  <FileChoice onChecked={show} />
                </ShownImport>
              )}
              <EarlierImports imports={imports.filter(({ id }) => id !== shown)} />
            </>
          )
        }}
      </QueryStates>
    </div>
  )
}

/** The other imports of the last days; each leads to its rows. */
function EarlierImports({ imports }: { imports: readonly PharmacyImport[] }) {
  if (imports.length === 0) return null
  return (
    <section className="flex flex-col gap-2.5">
      <h2 className="text-lg leading-snug font-medium">Altre importazioni</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {imports.map(({ id, state, counts, created_at }) => (
          <li key={id} className="relative px-4 py-3 transition-colors hover:bg-sunken">
            <Link
              to={{ search: `?importazione=${id}` }}
              className="font-medium text-accent underline-offset-4 after:absolute after:inset-0 hover:underline"
            >
              {stateTitles[state]} del {formatDateTime(created_at)}
            </Link>
            <p className="text-sm text-muted tabular-nums">
              {outcomeCounts
                .map(({ outcome, label }) => `${label}: ${formatNumber(counts[outcome])}`)
                .join(' • ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const importUrl = searchParamsFormat(
  z.object({
    /** The import that is shown; empty for the newest. */
    importazione: z.catch(z.union([z.uuid(), z.literal('')]), ''),
    /** The rows that are shown; empty for all. */
    righe: z.catch(z.union([RowOutcome, z.literal('')]), ''),
    page: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1),
  }),
)

type ImportAddress = ReturnType<typeof importUrl.parse>

function useImportAddress() {
  return useUrlFilter<ImportAddress>(importUrl)
}

type ImportCountsProps = {
  counts: PharmacyImport['counts']
  /** The rows that are shown; empty for all. */
  chosen: RowOutcome | ''
  onChoose: (outcome: RowOutcome | '') => void
}

/** The numbers of rows by outcome; each narrows the list of rows to its own, or shows all again. */
function ImportCounts({ counts, chosen, onChoose }: ImportCountsProps) {
  return (
    <div
      role="group"
      aria-label="Righe per esito"
      className="grid grid-cols-2 gap-2.5 lg:grid-cols-4"
    >
      {outcomeCounts.map(({ outcome, label }) => {
        const isChosen = chosen === outcome
        return (
          <button
            key={outcome}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? '' : outcome)}
            className={cn(
              'rounded-card border px-4 py-3 text-left transition-colors',
              isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-sunken',
            )}
          >
            <span className="block text-sm text-muted">{label}</span>{' '}
            <span
              className={cn(
                'block text-2xl font-medium tracking-tight tabular-nums',
                outcome === 'refused' && counts.refused > 0 && 'text-danger',
              )}
            >
              {formatNumber(counts[outcome])}
            </span>
          </button>
        )
      })}
    </div>
  )
}
