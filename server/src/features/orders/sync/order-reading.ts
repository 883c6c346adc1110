import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { writeInHalves } from '../../../database/write-in-halves.ts'
import type { Log } from '../../../ports/log.ts'
import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
  type SourcePage,
} from '../../../ports/order-source.ts'
import type { OrderLeasesStore } from '../records/order-leases.store.ts'
import {
  isUnnamedTaken,
  NO_PHARMACY_REASON,
  ownership,
  type TablePharmacy,
  toldPharmaWa,
  UNTOLD_PHARMACY_REASON,
} from '../records/order-owner.rules.ts'
import {
  laterOf,
  newSince,
  type ReadObservations,
  readFrom,
  readUntil,
} from '../records/orders.rules.ts'
import type { CopyState, OrderCopyStore } from './order-copy.store.ts'
import { type OrderQuarantineStore, REFUSED_REASON } from './order-quarantine.store.ts'

/** `slow`: the reading continues, here or in another process, and the copy may be stale. */
export type ReadingOutcome = 'fresh' | 'slow' | 'failed'

/** What to read. When the signal aborts the reading throws; the type of error does not matter. */
export type ReadTask = { pharmacyId: string; location: SourceLocation; signal: AbortSignal }

/** The acquired lease, and the state of the copy before the reading. */
type ReadStart = { holder: string; readAt: string; state: CopyState }

type Dependencies = {
  store: OrderCopyStore
  leases: OrderLeasesStore
  quarantine: OrderQuarantineStore
  source: OrderSource
  log: Pick<Log, 'info' | 'warn'>
  /** How long to wait for a reading of another task. */
  waitMs: number
}

/** Interval of the check whether another reading, here or in another process, has ended. */
const POLL_INTERVAL_MS = 100

/** Reads the changes of the order source into the copy, with one reading per base at a time. */
export function createOrderReading(dependencies: Dependencies) {
  const { store, leases, quarantine, source, log, waitMs } = dependencies
  const importPage = createOrderImport({ store, quarantine, log })

  async function copyChanges(
    { pharmacyId, location, signal }: ReadTask,
    { holder, readAt, state }: ReadStart,
  ): Promise<ReadingOutcome> {
    const tablePharmacies = await store.tablePharmacies(location)
    // Records that were nobody's have become the pharmacy's own, or those of another, since another one left the table.
    const isOwn = ownership(null, pharmacyId, tablePharmacies) === 'own'
    const isAssigned =
      (isOwn || isUnnamedTaken(tablePharmacies)) &&
      (await quarantine.hasAny(pharmacyId, NO_PHARMACY_REASON))
    const startedFrom = isAssigned && isOwn ? null : state.changedUntil
    const context = {
      pharmacyId,
      tablePharmacies,
      readAt,
      countsAsNew: state.readAt !== null,
      // A full reading may find old orders that were missed: they are not announced as new.
      newAfter: startedFrom === null && state.readAt !== null ? newSince(state.readAt) : undefined,
      hasQuarantined: await quarantine.hasAny(pharmacyId),
    }
    const seen: ReadObservations = { newest: null, isAhead: false, from: readAt, to: readAt }
    let changed = 0
    let missing: string[] | undefined
    for await (const page of source.readChanged(location, readFrom(startedFrom), signal)) {
      // Renewed before the page is used: a process that has taken over the lease has newer data.
      const renewedAt = await leases.acquire(location.baseId, holder)
      if (!renewedAt) {
        log.warn({ pharmacyId }, 'the reading of the orders took too long, and another took over')
        return 'slow'
      }
      changed += await importPage(context, page)
      missing = page.missingColumns
      seen.to = renewedAt
      for (const { updatedAt } of page.orders) {
        if (updatedAt > readAt) seen.isAhead = true
        else seen.newest = laterOf(seen.newest, updatedAt)
      }
    }
    const changedUntil = readUntil(startedFrom, seen)
    await store.markRead(pharmacyId, location, { startedFrom, changedUntil, readAt })
    if (missing && missing.join() !== state.missingColumns?.join()) {
      await store.markColumns(pharmacyId, location, missing)
      if (missing.length > 0) log.warn({ pharmacyId, missing }, 'columns are missing')
    }
    await store.analyzeAfter(changed)
    if (isAssigned) await quarantine.releaseUnassigned(pharmacyId)
    if (changed > 0) log.info({ pharmacyId, changed }, 'orders copied')
    return 'fresh'
  }

  async function read(task: ReadTask, begun: ReadStart): Promise<ReadingOutcome> {
    const { pharmacyId, location, signal } = task
    try {
      return await copyChanges(task, begun)
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof SourceError)) {
        await store.markFailed(pharmacyId, location, 'internal')
        throw error
      }
      log.warn({ pharmacyId, kind: error.kind }, 'Airtable could not be read')
      await store.markFailed(pharmacyId, location, error.kind)
      return 'failed'
    }
  }

  return async (task: ReadTask): Promise<ReadingOutcome> => {
    const { pharmacyId, location, signal } = task
    const holder = randomUUID()
    await store.upsertCopy(pharmacyId, location)
    let before: CopyState | undefined
    for (let waited = 0; ; waited += POLL_INTERVAL_MS) {
      const readAt = await leases.acquire(location.baseId, holder)
      try {
        const state = await store.copyState(pharmacyId, location)
        const otherOutcome = before && outcomeSince(before, state)
        if (otherOutcome) return otherOutcome
        if (readAt) return await read(task, { holder, readAt, state })
        before ??= state
      } finally {
        if (readAt) await leases.release(location.baseId, holder)
      }
      if (waited >= waitMs) return 'slow'
      await pause(POLL_INTERVAL_MS, undefined, { signal })
    }
  }
}

/** The outcome of another reading that ended meanwhile, which serves this caller too. */
function outcomeSince(before: CopyState, now: CopyState): ReadingOutcome | undefined {
  if (now.readAt !== before.readAt) return 'fresh'
  return now.failedAt !== before.failedAt ? 'failed' : undefined
}

/** The context of a reading, the same for all its pages. */
type ImportContext = {
  pharmacyId: string
  tablePharmacies: readonly TablePharmacy[]
  readAt: string
  countsAsNew: boolean
  /** Orders created before this are not announced as new. */
  newAfter: string | undefined
  /** The pharmacy has quarantined records, which may be readable now. */
  hasQuarantined: boolean
}

/**
 * Imports a page of the source: the pharmacy's own records are copied; those that are unreadable, or that the database
 * refuses, are quarantined and logged.
 */
function createOrderImport({
  store,
  quarantine,
  log,
}: Pick<Dependencies, 'store' | 'quarantine' | 'log'>) {
  /** Reasons of records without an id, logged once per process. */
  const logged = new Set<string>()

  async function quarantineUnreadable(
    { pharmacyId, hasQuarantined }: ImportContext,
    page: SourcePage,
    {
      foreign,
      unassigned,
      untold,
      refused,
    }: Record<'foreign' | 'unassigned' | 'untold' | 'refused', string[]>,
  ): Promise<void> {
    const reasons = new Map<string, string>(
      unassigned.map((recordId) => [recordId, NO_PHARMACY_REASON]),
    )
    const reasonsWithoutId = new Set<string>()
    for (const { recordId, reason } of page.unreadable) {
      if (recordId === null) reasonsWithoutId.add(reason)
      else if (!foreign.includes(recordId)) reasons.set(recordId, reason)
    }
    for (const recordId of untold) reasons.set(recordId, UNTOLD_PHARMACY_REASON)
    for (const recordId of refused) reasons.set(recordId, REFUSED_REASON)
    const records = [...reasons].map(([recordId, reason]) => ({ recordId, reason }))
    const added: object[] = records.length > 0 ? await quarantine.add(pharmacyId, records) : []
    for (const reason of reasonsWithoutId) {
      if (logged.has(`${pharmacyId} ${reason}`)) continue
      logged.add(`${pharmacyId} ${reason}`)
      added.push({ recordId: null, reason })
    }
    if (added.length > 0) {
      log.warn({ pharmacyId, unreadable: added }, 'some orders could not be understood')
    }
    const readable = page.orders.map((order) => order.recordId).filter((id) => !reasons.has(id))
    if (hasQuarantined && readable.length > 0) await quarantine.release(pharmacyId, readable)
  }

  /** @returns the number of orders that were new or changed */
  return async (context: ImportContext, page: SourcePage): Promise<number> => {
    const { pharmacyId, readAt, countsAsNew, newAfter } = context
    const { own, foreign, ownerless } = groupByOwner(context, page.orders)
    // A record already in the copy stays there until it names another pharmacy.
    const kept =
      ownerless.length > 0 ? await store.findCopied(pharmacyId, idsOf(ownerless)) : new Set()
    const orders = [...own, ...ownerless.filter(({ recordId }) => kept.has(recordId))]
    const others = ownerless.filter(({ isBlank, recordId }) => !isBlank && !kept.has(recordId))
    const untold = idsOf(others.filter((order) => toldPharmaWa(order) === undefined))
    const unnamed = idsOf(others.filter((order) => toldPharmaWa(order) !== undefined))
    const { results, refused } = await writeInHalves(orders, (some) =>
      store.saveOrders(pharmacyId, some, readAt, { countsAsNew, newAfter }),
    )
    // Orders that now belong to another pharmacy are removed.
    if (foreign.length > 0) await store.removeOrders(pharmacyId, foreign, 'infinity')
    await quarantineUnreadable(context, page, {
      ...(isUnnamedTaken(context.tablePharmacies)
        ? { foreign: [...foreign, ...unnamed], unassigned: [] }
        : { foreign, unassigned: unnamed }),
      untold,
      refused: idsOf(refused),
    })
    return results.reduce((sum, changed) => sum + changed, 0)
  }
}

function groupByOwner({ pharmacyId, tablePharmacies }: ImportContext, orders: SourceOrder[]) {
  const own: SourceOrder[] = []
  const ownerless: SourceOrder[] = []
  const foreign: string[] = []
  for (const order of orders) {
    const whose = ownership(toldPharmaWa(order), pharmacyId, tablePharmacies)
    if (whose === 'own') own.push(order)
    else if (whose === 'ownerless') ownerless.push(order)
    else foreign.push(order.recordId)
  }
  return { own, ownerless, foreign }
}

const idsOf = (orders: readonly SourceOrder[]) => orders.map((order) => order.recordId)
