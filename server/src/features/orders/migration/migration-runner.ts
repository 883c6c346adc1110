import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ownership, toldPharmaWa } from '../records/order-owner.rules.ts'
import { readFrom } from '../records/orders.rules.ts'
import type { MigrationContext } from './migration.context.ts'
import { createMigrationComparison, differenceOf } from './migration-comparison.ts'
import { cancelledRun, failureOf } from './migration-reading.ts'
import { copiedByIds } from './migration-records.store.ts'
import type { DueShadow } from './migration-states.store.ts'
import { createMigrationTask } from './migration-task.ts'
import { type ClaimedRun, RunError } from './migration-work.store.ts'

/** Runs at the same time in one process, each of another base. More would wait for the pace of the token. */
const MAX_AT_ONCE = 4

/** Takes runs that wait, or whose process has died, and works on them. */
export function createMigrationRunner(context: MigrationContext) {
  const { work, log, timing } = context
  const task = createMigrationTask(context)
  const checkShadows = createMigrationShadow(context)
  const stopping = new AbortController()
  const { signal } = stopping
  const inFlight = new Set<Promise<void>>()
  let loop = Promise.resolve()
  let sleep = new AbortController()

  async function workOn(run: ClaimedRun): Promise<void> {
    const { pharmacyId, mode } = run
    const ending = new AbortController()
    const beating = setInterval(() => {
      work.beat(run).then(
        // Batches notice a cancellation themselves; what takes longer, also a pause after a failure, is ended here.
        (isCancelled) => isCancelled && ending.abort(cancelled),
        (error: unknown) => isOfKind(error, 'lost') && ending.abort(error),
      )
    }, timing.beatMs).unref()
    try {
      if (!run.isCurrent) return await work.finish(run, { state: 'failed', failure: 'no_airtable' })
      await task(run, AbortSignal.any([signal, ending.signal]))
      log.info({ pharmacyId, runId: run.id, mode }, 'a migration of orders has ended')
    } catch (error) {
      await endAfter(run, ending.signal.aborted ? ending.signal.reason : error)
    } finally {
      clearInterval(beating)
    }
  }

  async function endAfter(run: ClaimedRun, error: unknown): Promise<void> {
    const { pharmacyId, id: runId } = run
    if (isOfKind(error, 'lost')) {
      log.warn({ pharmacyId, runId }, 'another process has taken a migration over')
    } else if (isOfKind(error, 'cancelled')) {
      await work.finish(run, { state: 'cancelled' })
    } else if (signal.aborted) {
      await work.release(run)
    } else {
      const failure = isOfKind(error, 'not_drained') ? 'not_drained' : failureOf(error)
      if (failure === 'internal') log.error({ err: error, pharmacyId, runId }, 'a migration failed')
      else log.warn({ pharmacyId, runId, failure }, 'a migration failed')
      await work.finish(run, { state: 'failed', failure })
    }
  }

  async function claimNext(): Promise<void> {
    while (inFlight.size < MAX_AT_ONCE && !signal.aborted) {
      const run = await work.claim(randomUUID(), timing.stalledMs)
      if (!run) return
      const working = workOn(run)
        .catch((error: unknown) => {
          // It is taken up again when it has been silent long enough.
          log.error({ err: error, runId: run.id }, 'the end of a migration was not stored')
        })
        .finally(() => {
          inFlight.delete(working)
          // Another run may have waited for this one, or for its base.
          sleep.abort()
        })
      inFlight.add(working)
    }
  }

  async function runLoop(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      // Before the claim, so that a run that begins to wait meanwhile is claimed at once.
      sleep = new AbortController()
      try {
        await claimNext()
        await checkShadows(signal)
        isFailing = false
      } catch (error) {
        if (!isFailing && !signal.aborted) log.warn({ err: error }, 'migrations wait')
        isFailing = true
      }
      await pause(timing.checkMs, undefined, { signal: sleep.signal }).catch(() => {})
    }
  }

  return {
    start() {
      loop = runLoop()
    },
    /** A run waits that this process has stored. Those of others are found at the next check. */
    wake() {
      sleep.abort()
    },
    async stop(): Promise<void> {
      stopping.abort()
      sleep.abort()
      await loop
      await Promise.all(inFlight)
    },
  }
}

const cancelled = cancelledRun()

const isOfKind = (error: unknown, kind: RunError['kind']) =>
  error instanceof RunError && error.kind === kind

/** Comparisons that are made at the same time in one process. */
const MAX_SHADOWS = 4

/** In the phase `shadow`: compares every five minutes what has changed since the last time. */
function createMigrationShadow(context: MigrationContext) {
  const { db, source, states, copies, refresh, log, timing } = context
  const { settle } = createMigrationComparison(context)
  const inFlight = new Set<string>()

  async function check({ pharmacyId, location, since, at }: DueShadow, signal: AbortSignal) {
    // Without it differences would be those of the last minute.
    if ((await refresh(pharmacyId, location)) !== 'fresh') return
    const tablePharmacies = await copies.tablePharmacies(location)
    const suspects: string[] = []
    let compared = 0
    for await (const page of source.readChanged(location, readFrom(since), signal)) {
      const own = page.orders.filter(
        (order) => ownership(toldPharmaWa(order), pharmacyId, tablePharmacies) === 'own',
      )
      const here = await copiedByIds(
        db,
        pharmacyId,
        own.map(({ recordId }) => recordId),
      )
      compared += own.length
      for (const order of own) {
        const found = differenceOf(order.recordId, order, here.get(order.recordId))
        if (found.length > 0) suspects.push(order.recordId)
      }
    }
    if (suspects.length > 0) await pause(timing.recheckMs, undefined, { signal })
    const left = await settle({ pharmacyId, location, phase: 'shadow' }, suspects, signal)
    await states.noteShadow(pharmacyId, { at, compared, mismatches: left.length })
  }

  return async (signal: AbortSignal): Promise<void> => {
    while (inFlight.size < MAX_SHADOWS && !signal.aborted) {
      const due = await states.claimShadow(timing.shadowEveryMs)
      if (!due || inFlight.has(due.pharmacyId)) return
      inFlight.add(due.pharmacyId)
      check(due, signal)
        .catch((error: unknown) => {
          if (signal.aborted) return
          log.warn({ err: error, pharmacyId: due.pharmacyId }, 'orders were not compared')
        })
        .finally(() => inFlight.delete(due.pharmacyId))
    }
  }
}
