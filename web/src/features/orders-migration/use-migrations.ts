import { getAdminPharmacy, listAdminPharmacies } from '@bancone/contract/admin-pharmacies'
import type { Response } from '@bancone/contract/endpoint'
import {
  getMigrationRun,
  listMigrationItems,
  listMigrationRuns,
  type MigrationProgress,
  type MigrationRun,
} from '@bancone/contract/migration-runs'
import { getMigrationDetail, getMigrationOverview } from '@bancone/contract/orders-migration'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { toastError, toastNews, toastSuccess } from '../../ui/toast.ts'
import {
  errorCount,
  errorsOf,
  isActive,
  migratedOrders,
  migrationProblem,
  orderCount,
} from './migration-texts.ts'

/** How often the lists are read while something runs, and otherwise for what other administrators start. */
export const ACTIVE_POLL_MS = 2_000
export const IDLE_POLL_MS = 15_000
/** The list of more pharmacies than these has 100 kB and more. */
const MANY_PHARMACIES = 100
const MANY_POLL_MS = 5_000

/** How long after the end of a run, or of all runs of 'Migra Tutte', the lists are read again. */
const REFRESH_AFTER_MS = { one: 1_000, all: 2_000 }

export type MigrationOverview = Response<typeof getMigrationOverview>

export function useMigrations() {
  return useEndpoint(
    getMigrationOverview,
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data && isAnyActive(data) ? activePollMs(data) : IDLE_POLL_MS,
    },
  )
}

function activePollMs({ cards }: MigrationOverview): number {
  return cards.total > MANY_PHARMACIES ? MANY_POLL_MS : ACTIVE_POLL_MS
}

function isAnyActive({ backup, standard, progress }: MigrationOverview): boolean {
  return (
    progress?.status === 'running' ||
    backup.some(({ run }) => isActive(run)) ||
    standard.some(({ run }) => isActive(run))
  )
}

/** Reads again all that a run or a move to another phase changes. */
export async function invalidateMigrations(client: QueryClient): Promise<void> {
  for (const endpoint of [
    getMigrationRun,
    listMigrationItems,
    listMigrationRuns,
    listAdminPharmacies,
    getAdminPharmacy,
  ]) {
    void client.invalidateQueries({ queryKey: endpointKey(endpoint) })
  }
  await Promise.all(
    [getMigrationOverview, getMigrationDetail].map((endpoint) =>
      client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
    ),
  )
}

/** An action whose end, good or bad, makes all be read again: another administrator may have acted before. */
export function useMigrationAction() {
  const client = useQueryClient()
  const { run, ...action } = useAction()
  return {
    ...action,
    start(work: () => Promise<void>) {
      void run(async () => {
        try {
          await work()
        } finally {
          await invalidateMigrations(client)
        }
      }, migrationProblem)
    },
  }
}

function sayEnd(run: MigrationRun) {
  const { pharmacy, state, counts } = run
  const about = `migration-${pharmacy.id}`
  if (state === 'failed') {
    toastError(`Errore nella migrazione di ${pharmacy.name}`, {
      about,
      description: run.failureText ?? '',
    })
  } else if (state === 'cancelled') {
    toastNews(`Migrazione di ${pharmacy.name} interrotta`, { about })
  } else if (state === 'completed') {
    toastSuccess(`Migrazione di ${pharmacy.name} completata`, {
      about,
      description: `${orderCount(migratedOrders(run))} ${migratedOrders(run) === 1 ? 'migrato' : 'migrati'}, ${formatNumber(counts.same)} già uguali`,
    })
  } else {
    toastError(`Migrazione di ${pharmacy.name}: ${errorCount(errorsOf(run))}`, {
      about,
      description: 'I motivi sono nella pagina della farmacia.',
    })
  }
}

function sayEndOfAll({ success, total, status, errors }: MigrationProgress) {
  const text = `${success}/${total} farmacie migrate`
  if (status === 'completed') toastSuccess(text, { about: 'migration-all' })
  else toastError(text, { about: 'migration-all', description: errorCount(errors) })
}

/**
 * Tells the end of migrations that were seen in progress, whichever administrator has started them, and reads the lists
 * again a moment later.
 */
export function useMigrationEnds(
  runs: readonly (MigrationRun | null)[],
  progress: MigrationProgress | null = null,
) {
  const client = useQueryClient()
  const before = useRef<ReadonlySet<string>>(new Set())
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  useEffect(() => {
    const refreshAfter = (milliseconds: number) =>
      timers.current.add(setTimeout(() => void invalidateMigrations(client), milliseconds))
    const seen = before.current
    before.current = new Set([
      ...runs.filter(isActive).map(({ id }) => id),
      ...(progress?.status === 'running' ? [progress.batchId] : []),
    ])
    for (const run of runs) {
      if (run === null || isActive(run) || !seen.has(run.id)) continue
      // Those of 'Migra Tutte' are told together.
      if (run.mode === 'full' && run.batchId === null) sayEnd(run)
      refreshAfter(REFRESH_AFTER_MS.one)
    }
    if (progress && progress.status !== 'running' && seen.has(progress.batchId)) {
      sayEndOfAll(progress)
      refreshAfter(REFRESH_AFTER_MS.all)
    }
  }, [client, runs, progress])

  useEffect(() => {
    const waiting = timers.current
    return () => {
      for (const timer of waiting) clearTimeout(timer)
    }
  }, [])
}
