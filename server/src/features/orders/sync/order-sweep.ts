import { writeInHalves } from '../../../database/write-in-halves.ts'
import type { Log } from '../../../ports/log.ts'
import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
} from '../../../ports/order-source.ts'
import { type OrderLeasesStore, withLease } from '../records/order-leases.store.ts'
import { ownership, type TablePharmacy, toldPharmaWa } from '../records/order-owner.rules.ts'
import { newSince } from '../records/orders.rules.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import { type OrderQuarantineStore, REFUSED_REASON } from './order-quarantine.store.ts'

type Dependencies = {
  copies: OrderCopyStore
  quarantine: OrderQuarantineStore
  leases: OrderLeasesStore
  source: OrderSource | null
  log: Log
  timing?: Partial<SweepTiming> | undefined
}

/** All in milliseconds. */
export type SweepTiming = {
  /** Between two sweeps of a copy. */
  intervalMs: number
  /** After a failed sweep. */
  retryMs: number
  /** While another pharmacy's copy of the same table is being swept. */
  tableBusyMs: number
}

const defaultTiming: SweepTiming = {
  intervalMs: 6 * 60 * 60_000,
  retryMs: 10 * 60_000,
  tableBusyMs: 30_000,
}

/** Maximum number of records that are looked up individually; for more, the list is read again. */
const MAX_LOOKUPS = 50

/** How many of them are still looked up: two lists may have the same error. */
const SAMPLE = 5

/** Maximum number of missed records that are read by their ids, 50 with a request; for more, the whole table is read. */
const MAX_MISSED = 500

/** Maximum number of concurrent sweeps of a process; the others stay due. */
const MAX_AT_ONCE = 4

/** Orders removed in one transaction. */
const BATCH_SIZE = 500

export type OrderSweep = ReturnType<typeof createOrderSweep>

type Sweep = {
  pharmacyId: string
  location: SourceLocation
  source: OrderSource
  tablePharmacies: readonly TablePharmacy[]
  signal: AbortSignal
  /** Start of the sweep, by the database's clock: orders that were copied later are ignored. */
  at: string
}

/**
 * Removes orders that are gone from the source. Readings return only changed records, so this needs a list of all
 * ids. An order is never removed because of one list alone.
 */
export function createOrderSweep(dependencies: Dependencies) {
  const { copies, quarantine, leases, source, log } = dependencies
  const timing = { ...defaultTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const inFlight = new Map<string, Promise<void>>()

  async function removeGone(sweep: Sweep, listed: string[]): Promise<void> {
    const { pharmacyId, at } = sweep
    const suspects = await copies.notListed(pharmacyId, listed, at)
    const gone =
      suspects.length <= MAX_LOOKUPS
        ? await findGone(sweep, suspects)
        : await stillNotListed(sweep, suspects)
    let removed = 0
    for (let from = 0; from < gone.length; from += BATCH_SIZE) {
      sweep.signal.throwIfAborted()
      removed += await copies.removeOrders(pharmacyId, gone.slice(from, from + BATCH_SIZE), at)
    }
    if (removed > 0) log.info({ pharmacyId, removed }, 'orders that are gone were removed')
  }

  /**
   * Copies records that readings have missed, for example because they belonged to another pharmacy before.
   *
   * @returns how many of the missed ones are blank rows, as far as they were read
   */
  async function copyMissed(sweep: Sweep, own: string[]): Promise<number> {
    const { pharmacyId, location, at } = sweep
    const missed = await copies.notCopied(pharmacyId, own)
    if (missed.length > MAX_MISSED) {
      await copies.resetCursor(pharmacyId, location)
      return 0
    }
    let blank = 0
    for await (const page of sweep.source.readSome(location, missed, sweep.signal)) {
      for (const order of page.orders) {
        const { recordId } = order
        const whose = ownership(toldPharmaWa(order), pharmacyId, sweep.tablePharmacies)
        if (whose !== 'own') continue
        if (order.isBlank) blank += 1
        const writing = { countsAsNew: true, newAfter: newSince(at) }
        const { refused } = await writeInHalves([order], (some) =>
          copies.saveOrders(pharmacyId, some, at, writing),
        )
        if (refused.length > 0)
          await quarantine.add(pharmacyId, [{ recordId, reason: REFUSED_REASON }])
        else await quarantine.release(pharmacyId, [recordId])
      }
    }
    return blank
  }

  async function sweepNow(pharmacyId: string, location: SourceLocation): Promise<void> {
    const { signal } = stopping
    if (!source || signal.aborted) return
    if (!(await copies.claimSweep(pharmacyId, location, timing))) return
    const key = `sweep ${location.baseId} ${location.tableId}`
    const swept = await withLease(leases, key, signal, async (lease) => {
      const tablePharmacies = await copies.tablePharmacies(location)
      const sweep = {
        pharmacyId,
        location,
        source,
        tablePharmacies,
        signal: lease.signal,
        at: lease.at,
      }
      const { own, ownerless } = await list(sweep)
      const listed = [...own, ...ownerless]
      if (!(await copies.isMirrored(pharmacyId))) await removeGone(sweep, listed)
      const blank = await copyMissed(sweep, [...own])
      await quarantine.retainOnly(pharmacyId, listed, lease.at)
      lease.signal.throwIfAborted()
      const finished = { at: lease.at, next: timing.intervalMs, records: own.size - blank }
      await copies.finishSweep(pharmacyId, location, finished)
    })
    if (!swept) await copies.postponeSweep(pharmacyId, location, timing.tableBusyMs)
  }

  async function sweepSafely(pharmacyId: string, location: SourceLocation): Promise<void> {
    try {
      await sweepNow(pharmacyId, location)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (error instanceof SourceError) {
        log.warn({ pharmacyId, kind: error.kind }, 'what is gone from Airtable was not found out')
      } else log.error({ err: error, pharmacyId }, 'the copy of the orders could not be swept')
    }
  }

  async function removeReported(pharmacyId: string, location: SourceLocation, recordIds: string[]) {
    const { signal } = stopping
    signal.throwIfAborted()
    if (!source || (await copies.isMirrored(pharmacyId))) return
    const looked = await withLease(leases, `removal ${pharmacyId}`, signal, async (lease) => {
      const suspects = await copies.among(pharmacyId, recordIds, lease.at)
      if (suspects.length > MAX_LOOKUPS) return copies.postponeSweep(pharmacyId, location, 0)
      const tablePharmacies = await copies.tablePharmacies(location)
      const { at } = lease
      const of = { pharmacyId, location, source, tablePharmacies, signal: lease.signal, at }
      const removed = await copies.removeOrders(pharmacyId, await findGone(of, suspects), at)
      if (removed > 0) log.info({ pharmacyId, removed }, 'orders that are gone were removed')
    })
    if (!looked) throw new Error('another process looks for removed orders of the pharmacy')
  }

  /** Resolves when the running sweeps have ended. */
  async function settled(): Promise<void> {
    await Promise.all(inFlight.values())
  }

  return {
    /** Sweeps the copy in the background, if that is due and no sweep of it is running. */
    sweepIfDue(pharmacyId: string, location: SourceLocation): void {
      if (stopping.signal.aborted || inFlight.has(pharmacyId)) return
      if (inFlight.size >= MAX_AT_ONCE) return
      const sweeping = sweepSafely(pharmacyId, location).finally(() => inFlight.delete(pharmacyId))
      inFlight.set(pharmacyId, sweeping)
    },
    /**
     * Removes records that the base has reported as removed, after a look at each. Many of them make a sweep due.
     *
     * @throws SourceError when it cannot look; Error when it stops, or another process is looking
     */
    async removeReported(
      baseId: string,
      records: readonly { tableId: string; recordId: string }[],
    ): Promise<void> {
      const tableIds = [...new Set(records.map(({ tableId }) => tableId))]
      for (const { pharmacyId, tableId } of await copies.copiesOf(baseId, tableIds)) {
        const ofTable = records.filter((record) => record.tableId === tableId)
        const recordIds = ofTable.map(({ recordId }) => recordId)
        await removeReported(pharmacyId, { baseId, tableId }, recordIds)
      }
    },
    settled,
    /** Aborts the running sweeps. Nothing starts after that. */
    async stop(): Promise<void> {
      stopping.abort()
      await settled()
    },
  }
}

/** The ids of the pharmacy's own records, and of those without an owner. */
async function list({ source, location, pharmacyId, tablePharmacies, signal }: Sweep) {
  const own = new Set<string>()
  const ownerless = new Set<string>()
  for await (const page of source.readIds(location, signal)) {
    for (const { recordId, pharmaWa } of page) {
      const whose = ownership(pharmaWa, pharmacyId, tablePharmacies)
      if (whose === 'own') own.add(recordId)
      if (whose === 'ownerless') ownerless.add(recordId)
    }
  }
  signal.throwIfAborted()
  return { own, ownerless }
}

async function findGone(sweep: Sweep, suspects: string[]): Promise<string[]> {
  const { pharmacyId, tablePharmacies } = sweep
  const gone: string[] = []
  for (const recordId of suspects) {
    const order = await readRecord(sweep, recordId)
    const isGone = !order || ownership(order.pharmaWa, pharmacyId, tablePharmacies) === 'foreign'
    if (isGone) gone.push(recordId)
  }
  return gone
}

/** @throws SourceError when the lists omit records that exist */
async function stillNotListed(sweep: Sweep, suspects: string[]): Promise<string[]> {
  const { own, ownerless } = await list(sweep)
  const gone = suspects.filter((recordId) => !own.has(recordId) && !ownerless.has(recordId))
  const step = Math.ceil(gone.length / SAMPLE)
  const sample = gone.filter((_recordId, index) => index % step === 0)
  if ((await findGone(sweep, sample)).length < sample.length) {
    throw new SourceError('unreachable', 'the lists of ids leave out records that are there')
  }
  return gone
}

/** @returns null when the record is gone */
async function readRecord(sweep: Sweep, recordId: string): Promise<SourceOrder | null> {
  sweep.signal.throwIfAborted()
  try {
    return await sweep.source.readOrder(sweep.location, recordId, sweep.signal)
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'not_found') return null
    throw error
  }
}
