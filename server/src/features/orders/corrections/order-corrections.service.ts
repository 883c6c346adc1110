import type { CorrectedFields, ShownFields } from '@bancone/contract/order-corrections'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../base/app-error.ts'
import { settledWithin } from '../../../base/settled-within.ts'
import type { Clock } from '../../../ports/clock.ts'
import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
} from '../../../ports/order-source.ts'
import { correctionOf, isAsShown } from '../creation/new-orders.rules.ts'
import { throwIfLocked } from '../creation/new-orders.service.ts'
import type { OrderCreation } from '../creation/order-creation.ts'
import { ownership } from '../records/order-owner.rules.ts'
import { toWireRecord } from '../records/order-rows.ts'
import type { Author } from '../records/orders-owner.ts'
import type { OrderCorrectionsStore } from './order-corrections.store.ts'

type Dependencies = {
  store: OrderCorrectionsStore
  source: OrderSource | null
  creation: Pick<OrderCreation, 'push'>
  /** URL path of the stored picture of an order. */
  picturePath(orderId: string): string
  clock: Clock
  /** How long a request waits for an order that is on its way to Airtable. */
  waitMs?: number | undefined
}

type Owner = { id: string; orderSource: SourceLocation | null }

export type OrderCorrections = ReturnType<typeof createOrderCorrections>

/** Corrects and removes orders that were typed in: in Airtable first, if they are there. */
export function createOrderCorrections(dependencies: Dependencies) {
  const { store, source, creation, picturePath, clock, waitMs = 3_000 } = dependencies

  /** @throws AppError */
  async function typedOrder({ id: pharmacyId }: Owner, recordId: string) {
    let order = await store.find(pharmacyId, recordId)
    if (order?.place === 'new' || order?.place === 'sent') {
      await settledWithin(creation.push(pharmacyId, order.id), waitMs)
      order = await store.find(pharmacyId, recordId)
    }
    if (!order) throw new AppError('orders.not_found')
    if (!order.isTyped) throw new AppError('orders.not_typed')
    return order
  }

  /** The order as Airtable has it now. */
  async function readOwn(owner: Owner, location: SourceLocation, recordId: string) {
    const found = await sourceOf().readOrder(location, recordId)
    const sharers = await store.tablePharmacies(location)
    if (ownership(found.pharmaWa, owner.id, sharers) === 'foreign')
      throw new AppError('orders.not_found')
    return found
  }

  function sourceOf(): OrderSource {
    if (!source) throw new AppError('orders.not_reached')
    return source
  }

  async function correctInStore(
    owner: Owner,
    location: SourceLocation,
    recordId: string,
    { fields, was, author }: { fields: CorrectedFields; was: ShownFields; author: Author },
  ) {
    const readAt = new Date(clock.now()).toISOString()
    const found = await readOwn(owner, location, recordId)
    if (!isAsShown(found, was)) {
      await store.take(owner.id, found, readAt, null)
      throw new AppError('orders.changed_meanwhile')
    }
    const stored = await sourceOf().correct(location, recordId, correctionOf(found, fields))
    return store.take(owner.id, stored, readAt, author)
  }

  /** A removal whose response was lost is found out by reading. */
  async function removeInStore(owner: Owner, location: SourceLocation, recordId: string) {
    const isThere = await readOwn(owner, location, recordId).catch(orGone)
    if (!isThere) return
    try {
      await sourceOf().remove(location, recordId)
    } catch (error) {
      if (await sourceOf().readOrder(location, recordId).catch(orGone)) throw error
    }
  }

  return {
    /** @throws AppError; nothing is changed then, except that Airtable may have been reached without an answer */
    async correct(
      owner: Owner,
      recordId: string,
      change: { fields: CorrectedFields; was: ShownFields },
      author: Author,
    ): Promise<OrderRecord> {
      const order = await typedOrder(owner, recordId)
      const { fields, was } = change
      const location = order.place === 'airtable' ? owner.orderSource : null
      const corrected = location
        ? await correctInStore(owner, location, order.recordId, { fields, was, author }).catch(
            explain,
          )
        : await store
            .correct(owner.id, order.id, {
              fields: correctionOf({ ...nothing, orderNumber: was['ID Ordine'] }, fields),
              was,
              author,
              isOnAirtable: owner.orderSource !== null,
            })
            .catch(throwIfLocked)
      return toWireRecord(corrected, picturePath)
    },

    /** @throws AppError */
    async remove(owner: Owner, recordId: string): Promise<Record<string, never>> {
      const order = await typedOrder(owner, recordId)
      if (order.isHeld) throw new AppError('orders.held')
      const location = order.place === 'airtable' ? owner.orderSource : null
      if (location) await removeInStore(owner, location, order.recordId).catch(explain)
      const isOnAirtable = owner.orderSource !== null
      await store.remove(owner.id, order, { isInAirtable: location !== null, isOnAirtable })
      return {}
    },
  }
}

const nothing = { customerName: null, customerPhone: null, address: null, details: null }

function orGone(error: unknown): undefined | SourceOrder {
  if (error instanceof SourceError && error.kind === 'not_found') return undefined
  throw error
}

function explain(error: unknown): never {
  if (!(error instanceof SourceError)) throw error
  if (error.kind === 'not_found') throw new AppError('orders.not_found', { cause: error })
  // A token may write and not delete, or not reach the table any more: waiting does not help.
  const isRefused = error.kind === 'refused' || error.kind === 'denied'
  throw new AppError(isRefused ? 'orders.source_refused' : 'orders.not_reached', { cause: error })
}
