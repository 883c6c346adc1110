import { writeInHalves } from '../../../database/write-in-halves.ts'
import type { SourceOrder, SourcePage } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import {
  isUnnamedTaken,
  NO_PHARMACY_REASON,
  ownership,
  type TablePharmacy,
  toldPharmaWa,
  UNTOLD_PHARMACY_REASON,
} from './order-owner.rules.ts'
import { type OrderQuarantineStore, REFUSED_REASON } from './order-quarantine.store.ts'

type Dependencies = {
  store: OrderCopyStore
  quarantine: OrderQuarantineStore
  log: { warn(details: object, message: string): void }
}

/** The context of a reading, the same for all its pages. */
export type ImportContext = {
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
export function createOrderImport({ store, quarantine, log }: Dependencies) {
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
