import type { ExclusionReason } from '@bancone/contract/analytics'
import { dayOf } from '@bancone/contract/dates'
import { createKeyedBatches } from '../../platform/batches.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageEvent } from './page-views.store.ts'

/** Milliseconds after which sums are recorded, and after which it is tried again. */
const RECORD_MS = 1_000
const RETRY_MS = 10_000

type Sum = { pharmacyId: string; reason: ExclusionReason; amount: number; at: number }

type Dependencies = {
  add(event: PageEvent): Promise<void>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

export type Exclusions = ReturnType<typeof createExclusions>

/** Counts page views that are left out, in memory; the sums are recorded each second. */
export function createExclusions({ add, clock, log }: Dependencies) {
  const sums = new Map<string, Sum>()
  let timer: NodeJS.Timeout | undefined

  function count({ pharmacyId, reason, amount, at }: Sum, afterMs: number): void {
    // A sum that could not be recorded before midnight is not added to the new day.
    const key = `${pharmacyId} ${reason} ${dayOf(at)}`
    const known = sums.get(key)
    if (known) known.amount += amount
    else sums.set(key, { pharmacyId, reason, amount, at })
    timer ??= setTimeout(() => void recordings.add(''), afterMs).unref()
  }

  async function recordSum(sum: Sum): Promise<void> {
    const { pharmacyId, reason, amount, at } = sum
    const happened = new Date(at).toISOString()
    try {
      await add({
        pharmacy_id: pharmacyId,
        happened_at: happened,
        kind: 'excluded',
        reason,
        amount,
      })
    } catch (error) {
      log.warn({ err: error }, 'excluded page views could not be recorded')
      count(sum, RETRY_MS)
    }
  }

  const recordings = createKeyedBatches(async () => {
    clearTimeout(timer)
    timer = undefined
    const due = [...sums.values()]
    sums.clear()
    await Promise.all(due.map(recordSum))
  })

  return {
    add: (pharmacyId: string, reason: ExclusionReason): void =>
      count({ pharmacyId, reason, amount: 1, at: clock.now() }, RECORD_MS),

    /** Records the sums. */
    async close(): Promise<void> {
      await recordings.add('')
      clearTimeout(timer)
    },
  }
}
