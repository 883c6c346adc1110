import { DryRunResult } from '@bancone/contract/migration-results'
import {
  MigrationCounts,
  type MigrationProgress,
  MigrationRun,
  MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import { z } from 'zod'
import { failureTexts } from './migration-findings.rules.ts'

/** A run as it is read, without what is computed. Times are ISO 8601. */
export type RunRow = Omit<MigrationRun, 'percent' | 'perSecond' | 'secondsLeft' | 'failureText'> & {
  pacedSeconds: number | null
  pacedRead: number
}

/** A run with what it found, as it is read. */
export type RunDetailRow = RunRow & Pick<MigrationRunDetail, 'items'> & { findings: unknown }

export const noCounts: MigrationCounts = {
  read: 0,
  new: 0,
  changed: 0,
  same: 0,
  conflicts: 0,
  refused: 0,
  toFix: 0,
  onlyHere: 0,
  images: 0,
}

/** The counts of a run that was interrupted, or none. */
export function countsOf(stored: unknown): MigrationCounts {
  return z.catch(MigrationCounts, noCounts).parse(stored)
}

const Result = z.object({ result: DryRunResult })

/** A speed that is measured over less says little. */
const MIN_SECONDS = 2

export function runOf(row: RunRow): MigrationRun {
  const counts = countsOf(row.counts)
  const { step, failure } = row
  const isReading = row.endedAt === null && step === 'reading'
  const seconds = row.pacedSeconds ?? 0
  const speed = isReading && seconds >= MIN_SECONDS ? (counts.read - row.pacedRead) / seconds : null
  const left = row.total === null ? null : Math.max(0, row.total - counts.read)
  return MigrationRun.parse({
    ...row,
    counts,
    percent: percentOf(row, counts.read, step),
    perSecond: speed,
    secondsLeft: speed !== null && speed > 0 && left !== null ? Math.ceil(left / speed) : null,
    failureText: failure && failureTexts[failure],
  })
}

export function runDetailOf(row: RunDetailRow): MigrationRunDetail {
  const run = runOf(row)
  const { data } = Result.safeParse(row.findings)
  return {
    ...run,
    dryRun: run.mode === 'dry_run' && data ? data.result : null,
    items: MigrationRunDetail.shape.items.parse(row.items),
  }
}

/** 99 until the end: what follows the reading is short. */
function percentOf(row: RunRow, read: number, step: string | null): number | null {
  if (row.endedAt !== null) return 100
  if (step !== null && !['reading', 'draining'].includes(step)) return 99
  if (row.total === null) return null
  return row.total === 0 ? 0 : Math.min(99, Math.floor((100 * read) / row.total))
}

const isSuccess = ({ state }: MigrationRun) => state === 'completed'

/** What all runs of a batch have done; null for none. */
export function progressOf(runs: readonly MigrationRun[]): MigrationProgress | null {
  const [first] = runs
  if (!first?.batchId) return null
  const ended = runs.filter(({ endedAt }) => endedAt !== null)
  const errors = ended.filter((run) => !isSuccess(run))
  const isOver = ended.length === runs.length
  const outcome = errors.length > 0 ? 'error' : 'completed'
  const current = runs.find(({ state }) => ['running', 'cancelling', 'stalled'].includes(state))
  return {
    batchId: first.batchId,
    total: runs.length,
    processed: ended.length,
    success: ended.length - errors.length,
    errors: errors.length,
    status: isOver ? outcome : 'running',
    currentPharmacy: current?.pharmacy.name ?? null,
    errorMessages: errors.map(errorMessage),
    migrated: runs.reduce((sum, { counts }) => sum + counts.new + counts.changed, 0),
    startedBy: first.startedBy,
    createdAt: first.createdAt,
    endedAt: isOver
      ? (ended
          .map(({ endedAt }) => endedAt ?? '')
          .toSorted()
          .at(-1) ?? null)
      : null,
  }
}

function errorMessage({ pharmacy, state, counts, failureText }: MigrationRun): string {
  if (state === 'cancelled') return `${pharmacy.name}: interrotta`
  if (failureText) return `${pharmacy.name}: ${failureText}`
  const { refused, toFix, conflicts } = counts
  const parts = [
    refused > 0 && `${refused} record non ${refused === 1 ? 'importato' : 'importati'}`,
    toFix > 0 && `${toFix} ${toFix === 1 ? 'ordine' : 'ordini'} con campi da sistemare`,
    conflicts > 0 && `${conflicts} in conflitto`,
  ].filter((part) => part !== false)
  return `${pharmacy.name}: ${parts.join(', ') || 'differenze dopo la migrazione'}`
}
