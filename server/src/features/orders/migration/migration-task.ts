import { setTimeout as pause } from 'node:timers/promises'
import type { DryRunResult, VerificationResult } from '@bancone/contract/migration-results'
import { SourceError } from '../../../ports/order-source.ts'
import type { MigrationContext } from './migration.context.ts'
import { createMigrationComparison, createPictureCheck } from './migration-comparison.ts'
import { masked, proposedStatus } from './migration-findings.rules.ts'
import { cancelledRun, createMigrationReading } from './migration-reading.ts'
import { type ClaimedRun, RunError } from './migration-work.store.ts'

/** Waits are cut into pieces of this length, between which a cancellation is noticed. */
const WAIT_MS = 1_000

/** Orders whose unknown status is replaced at a time. */
const MAPPED_AT_ONCE = 100

/** Does a run from the step at which it is to its end. */
export function createMigrationTask(context: MigrationContext) {
  const { source, work, states, records, changes, pushPending, timing } = context
  const read = createMigrationReading(context)
  const { compare } = createMigrationComparison(context)
  const checkPictures = createPictureCheck(context)

  async function wait(run: ClaimedRun, until: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      if (await work.beat(run)) throw cancelledRun()
      const left = until - Date.now()
      if (left <= 0) return
      await pause(Math.min(left, WAIT_MS), undefined, { signal })
    }
  }

  /** Waits until what was changed or made here before is in Airtable. Later changes have the same way to go. */
  async function drain(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { pharmacyId } = run
    const since = await states.now()
    const deadline = Date.now() + timing.drainMs
    for (;;) {
      pushPending(pharmacyId)
      if ((await states.waitingSince(pharmacyId, since)) === 0) return
      if (Date.now() > deadline)
        throw new RunError('not_drained', 'changes have not reached Airtable')
      await wait(run, Date.now() + WAIT_MS, signal)
    }
  }

  /** Replaces unknown statuses as the run was told, like changes made by hand. */
  async function mapStatuses(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { pharmacyId, statusMapping } = run
    const statuses = Object.keys(statusMapping)
    if (statuses.length === 0) return
    const author = { from: 'system', userId: null, sessionId: null } as const
    // Each order once: Airtable may refuse a status, and the order then has its old one again.
    for (let last = ''; ; ) {
      signal.throwIfAborted()
      const found = await records.withStatus(run, statuses, last, MAPPED_AT_ONCE)
      const wanted = found.flatMap(({ recordId, status }) => {
        const Stato = statusMapping[status]
        return Stato ? [{ recordId, Stato, was: status }] : []
      })
      last = found.at(-1)?.recordId ?? last
      if (wanted.length === 0) return
      await changes.change(pharmacyId, wanted, author, run.phase !== 'retired')
      if (await work.beat(run)) throw cancelledRun()
    }
  }

  async function dryRunResult(run: ClaimedRun): Promise<DryRunResult> {
    const { findings } = run
    const { examples } = await records.onlyHere(run)
    return {
      changedColumns: mostFirst(findings.columns).map(([column, orders]) => ({ column, orders })),
      examples: {
        new: findings.new,
        changed: findings.changed,
        conflicts: findings.conflicts,
        onlyHere: examples.map((order) => masked(order, [])),
      },
      refused: await records.refusals(run),
      unknownStatuses: mostFirst(findings.statuses).map(([status, orders]) => ({
        status,
        orders,
        proposed: proposedStatus(status),
      })),
      missingColumns: findings.missingColumns,
      duplicates: await records.duplicates(run),
      pictures: { total: run.counts.images, bytes: findings.imageBytes },
    }
  }

  async function picturesOf(run: ClaimedRun, signal: AbortSignal) {
    if (run.mode === 'full') {
      // Those of a migration are still being copied.
      return { checked: 0, missing: 0, ...(await states.pictures(run.pharmacyId)) }
    }
    await work.enter(run, 'pictures')
    return checkPictures(run, signal)
  }

  async function verify(run: ClaimedRun, signal: AbortSignal): Promise<VerificationResult> {
    await work.enter(run, 'comparing')
    const compared = await compare(
      run,
      async () => {
        const until = run.recheckAt ? Date.parse(run.recheckAt) : Date.now() + timing.recheckMs
        await work.enter(run, 'rechecking', new Date(until).toISOString())
        await wait(run, until, signal)
      },
      signal,
    )
    const { refused: unreadable, toFix } = run.counts
    const pictures = await picturesOf(run, signal)
    const differences = compared.onlyInAirtable + compared.onlyHere + compared.different
    const equal = differences + unreadable + toFix + pictures.missing === 0
    return {
      ...compared,
      airtable: compared.airtable + unreadable,
      equal,
      unreadable,
      toFix,
      pictures,
    }
  }

  async function readWhole(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    await work.enter(run, 'reading')
    if (run.mode === 'dry_run') {
      const missing = await source.missingColumns(run.location, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof SourceError)) throw error
        return null
      })
      run.findings.missingColumns = missing
    }
    await read(run, signal)
  }

  async function retry(run: ClaimedRun, retryOf: string): Promise<void> {
    const pictures = await records.itemIds({ id: retryOf, pharmacyId: run.pharmacyId }, ['picture'])
    if (pictures.length > 0) await context.copyPicturesAgain(run.pharmacyId, pictures)
    await records.resolveItems(run)
    await work.finish(run, { state: stateOf(run, true) })
  }

  return async (run: ClaimedRun, signal: AbortSignal): Promise<void> => {
    const isRead = run.step === 'comparing' || run.step === 'rechecking' || run.step === 'pictures'
    if (!isRead) {
      if (run.mode === 'back') {
        await work.enter(run, 'draining')
        await drain(run, signal)
      }
      await readWhole(run, signal)
    }
    if (run.mode === 'full') {
      await context.copies.analyzeAfter(run.counts.new + run.counts.changed)
      await mapStatuses(run, signal)
    }
    if (run.retryOf !== null) return retry(run, run.retryOf)
    if (run.mode === 'full') await records.resolveItems(run)
    run.counts.onlyHere = (await records.onlyHere(run)).total
    if (run.mode === 'dry_run') {
      const result = await dryRunResult(run)
      return work.finish(run, { state: stateOf(run, true), result })
    }
    const verification = await verify(run, signal)
    const { equal, onlyHere } = verification
    run.counts.onlyHere = onlyHere
    await work.finish(run, { state: stateOf(run, equal), verification }, async (tx) => {
      // What was changed here is in Airtable: the differences that are left are Airtable's own, which counts from now on.
      if (run.mode === 'back') await context.moveBack(tx, run)
    })
  }
}

function stateOf({ counts, mode }: ClaimedRun, equal: boolean) {
  // For a comparison a change on its way is no difference.
  const conflicts = mode === 'full' || mode === 'dry_run' ? counts.conflicts : 0
  const isClean = equal && counts.refused + counts.toFix === 0 && conflicts === 0
  return isClean ? 'completed' : 'completed_with_errors'
}

function mostFirst(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).toSorted(([, a], [, b]) => b - a)
}
