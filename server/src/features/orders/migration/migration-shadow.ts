import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../database/database.ts'
import type { OrderSource, SourceLocation } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from '../copy/order-copy.store.ts'
import { ownership, toldPharmaWa } from '../copy/order-owner.rules.ts'
import type { ReadingOutcome } from '../copy/order-reading.ts'
import { readFrom } from '../orders.rules.ts'
import { type createMigrationComparison, differenceOf } from './migration-comparison.ts'
import { copiedByIds } from './migration-copies.store.ts'
import type { DueShadow, MigrationStatesStore } from './migration-states.store.ts'

/** Comparisons that are made at the same time in one process. */
const MAX_AT_ONCE = 4

type Log = { warn(details: object, message: string): void }

type Dependencies = {
  db: Database
  source: OrderSource
  store: Pick<MigrationStatesStore, 'claimShadow' | 'noteShadow'>
  copies: Pick<OrderCopyStore, 'tablePharmacies'>
  settle: ReturnType<typeof createMigrationComparison>['settle']
  /** Imports what changed in Airtable. */
  refresh(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  log: Log
  /** Between two comparisons of a pharmacy, and between finding a difference and reading it again, in milliseconds. */
  timing: { everyMs: number; recheckMs: number }
}

/** In the phase `shadow`: compares every five minutes what has changed since the last time. */
export function createMigrationShadow(dependencies: Dependencies) {
  const { db, source, store, copies, settle, refresh, log, timing } = dependencies
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
    await store.noteShadow(pharmacyId, { at, compared, mismatches: left.length })
  }

  return async (signal: AbortSignal): Promise<void> => {
    while (inFlight.size < MAX_AT_ONCE && !signal.aborted) {
      const due = await store.claimShadow(timing.everyMs)
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
