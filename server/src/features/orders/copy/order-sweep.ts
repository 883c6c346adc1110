import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
} from '../../../ports/order-source.ts'
import { newSince } from '../orders.rules.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import { withLease } from './order-lease.ts'
import type { OrderLeasesStore } from './order-leases.store.ts'
import { ownership, type Sharer } from './order-owner.rules.ts'
import type { OrderSetAsideStore } from './order-set-aside.store.ts'
import type { OrderSweepStore } from './order-sweep.store.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

type Dependencies = {
  store: OrderSweepStore
  copies: OrderCopyStore
  aside: OrderSetAsideStore
  leases: OrderLeasesStore
  source: OrderSource | null
  log: Log
  timing?: Partial<SweepTiming> | undefined
}

/** Milliseconds. */
export type SweepTiming = {
  /** Between two sweeps of a copy. */
  every: number
  /** After one that came to nothing. */
  again: number
  /** While another pharmacy's copy of the same table is swept. */
  otherIsAtIt: number
}

const usualTiming: SweepTiming = {
  every: 6 * 60 * 60_000,
  again: 10 * 60_000,
  otherIsAtIt: 30_000,
}

/** Records that are looked at one by one; of more the list is read again. */
const MOST_LOOKS = 50

/** Of those, how many are looked at all the same: two lists may be wrong in the same way. */
const SAMPLE = 5

/** Sweeps that a process has under way at once; the others are due still. */
const MOST_AT_ONCE = 4

/** Orders that are removed in one transaction. */
const PORTION = 500

export type OrderSweep = {
  /** Sweeps the copy if that is due and nobody is at it, in the background. */
  sweepIfDue(pharmacyId: string, location: SourceLocation): void
  /** Once the sweeps that were begun here have ended. */
  settled(): Promise<void>
  /** Ends what is under way; nothing begins after it. */
  stop(): Promise<void>
}

type Sweep = {
  pharmacyId: string
  location: SourceLocation
  source: OrderSource
  sharers: readonly Sharer[]
  signal: AbortSignal
  /** When it began, by the database's clock: what came into the copy later is left alone. */
  at: string
}

/**
 * Looks in the store for the records that the copy has. Readings see what changed and not what is gone:
 * that takes a list of everything, and nothing is removed by the word of one list alone.
 */
export function createOrderSweep(dependencies: Dependencies): OrderSweep {
  const { store, copies, aside, leases, source, log } = dependencies
  const timing = { ...usualTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const underWay = new Map<string, Promise<void>>()

  async function removeGone(sweep: Sweep, listed: string[]): Promise<void> {
    const { pharmacyId, at } = sweep
    const suspects = await store.notListed(pharmacyId, listed, at)
    const gone =
      suspects.length <= MOST_LOOKS
        ? await notFound(sweep, suspects)
        : await stillNotListed(sweep, suspects)
    let removed = 0
    for (let from = 0; from < gone.length; from += PORTION) {
      sweep.signal.throwIfAborted()
      removed += await copies.removeOrders(pharmacyId, gone.slice(from, from + PORTION), at)
    }
    if (removed > 0) log.info({ pharmacyId, removed }, 'orders that are gone were removed')
  }

  /** What a reading has missed, for example because it was another pharmacy's until now. */
  async function copyMissed(sweep: Sweep, own: string[]): Promise<void> {
    const { pharmacyId, location, at } = sweep
    const missed = await store.notCopied(pharmacyId, own)
    if (missed.length > MOST_LOOKS) return copies.readAgain(pharmacyId, location)
    for (const recordId of missed) {
      const order = await lookAt(sweep, recordId)
      if (order && ownership(order.pharmaWa, pharmacyId, sweep.sharers) === 'own') {
        const writing = { arriving: true, madeSince: newSince(at) }
        await copies.saveOrders(pharmacyId, [order], at, writing)
        await aside.takeBack(pharmacyId, [recordId])
      }
    }
  }

  async function sweepNow(pharmacyId: string, location: SourceLocation): Promise<void> {
    const { signal } = stopping
    if (!source || signal.aborted) return
    if (!(await store.claim(pharmacyId, location, timing))) return
    const key = `sweep ${location.baseId} ${location.tableId}`
    const swept = await withLease(leases, key, signal, async (begun) => {
      const sharers = await copies.sharers(location)
      const sweep = { pharmacyId, location, source, sharers, signal: begun.signal, at: begun.at }
      const { own, nobody } = await list(sweep)
      const listed = [...own, ...nobody]
      await removeGone(sweep, listed)
      await copyMissed(sweep, [...own])
      await aside.keepOnly(pharmacyId, listed, begun.at)
      begun.signal.throwIfAborted()
      await store.finish(pharmacyId, location, { at: begun.at, next: timing.every })
    })
    if (!swept) await store.postpone(pharmacyId, location, timing.otherIsAtIt)
  }

  async function sweepSafely(pharmacyId: string, location: SourceLocation): Promise<void> {
    try {
      await sweepNow(pharmacyId, location)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (error instanceof SourceError) {
        log.warn(
          { pharmacyId, kind: error.kind },
          'what is gone from the order store was not found out',
        )
      } else log.error({ err: error, pharmacyId }, 'the copy of the orders could not be swept')
    }
  }

  async function settled(): Promise<void> {
    await Promise.all(underWay.values())
  }

  return {
    sweepIfDue(pharmacyId, location) {
      if (stopping.signal.aborted || underWay.has(pharmacyId)) return
      if (underWay.size >= MOST_AT_ONCE) return
      const sweeping = sweepSafely(pharmacyId, location).finally(() => underWay.delete(pharmacyId))
      underWay.set(pharmacyId, sweeping)
    },
    settled,
    async stop() {
      stopping.abort()
      await settled()
    },
  }
}

/** The records that are the pharmacy's own, and those that are nobody's. */
async function list({ source, location, pharmacyId, sharers, signal }: Sweep) {
  const own = new Set<string>()
  const nobody = new Set<string>()
  for await (const page of source.readIds(location, signal)) {
    for (const { recordId, pharmaWa } of page) {
      const whose = ownership(pharmaWa, pharmacyId, sharers)
      if (whose === 'own') own.add(recordId)
      if (whose === 'nobody') nobody.add(recordId)
    }
  }
  signal.throwIfAborted()
  return { own, nobody }
}

async function notFound(sweep: Sweep, suspects: string[]): Promise<string[]> {
  const { pharmacyId, sharers } = sweep
  const gone: string[] = []
  for (const recordId of suspects) {
    const order = await lookAt(sweep, recordId)
    const isGone = !order || ownership(order.pharmaWa, pharmacyId, sharers) === 'foreign'
    if (isGone) gone.push(recordId)
  }
  return gone
}

/** @throws SourceError when the lists leave out what is there */
async function stillNotListed(sweep: Sweep, suspects: string[]): Promise<string[]> {
  const { own, nobody } = await list(sweep)
  const gone = suspects.filter((recordId) => !own.has(recordId) && !nobody.has(recordId))
  const step = Math.ceil(gone.length / SAMPLE)
  const sample = gone.filter((_recordId, index) => index % step === 0)
  if ((await notFound(sweep, sample)).length < sample.length) {
    throw new SourceError('unreachable', 'the lists of ids leave out records that are there')
  }
  return gone
}

/** Null when the record is gone. */
async function lookAt(sweep: Sweep, recordId: string): Promise<SourceOrder | null> {
  sweep.signal.throwIfAborted()
  try {
    return await sweep.source.readOrder(sweep.location, recordId, sweep.signal)
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'not_found') return null
    throw error
  }
}
