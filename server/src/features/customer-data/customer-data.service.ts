import { createHmac } from 'node:crypto'
import {
  type CustomerDataCopy,
  type CustomerDataCounts,
  type IdentityCheck,
  MAX_LISTED_NUMBERS,
} from '@bancone/contract/customer-data'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import type { Audit } from '../../platform/audit.ts'
import {
  type Customer,
  type CustomerWithOrders,
  customersIn,
  type OrderOfCustomer,
  type OrdersOfCustomer,
} from '../../platform/customers.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * What features keep of customers. `before`: only what is older (ISO 8601). `numbers`: all telephone numbers, as they
 * are written.
 */
export type CustomerDataNeeds = {
  db: Database
  orders: {
    /** @param linked the ids of orders that are the customer's for another reason than their telephone number */
    find(
      tx: Database,
      pharmacyId: string,
      customer: Customer,
      linked: readonly string[],
      before: string | undefined,
    ): Promise<OrdersOfCustomer>
    copy(pharmacyId: string, orders: OrdersOfCustomer): Promise<CustomerDataCopy['orders']>
    erase(tx: Database, pharmacyId: string, orders: OrdersOfCustomer): Promise<void>
    numbers(pharmacyId: string): Promise<string[]>
  }
  prioritySessions: {
    count(tx: Database, pharmacyId: string, customer: CustomerWithOrders): Promise<number>
    copy(
      pharmacyId: string,
      customer: CustomerWithOrders,
    ): Promise<CustomerDataCopy['prioritySessions']>
    /** @returns the number of priority sessions */
    erase(
      tx: Database,
      pharmacyId: string,
      customer: CustomerWithOrders,
      before: string | undefined,
    ): Promise<number>
    numbers(pharmacyId: string): Promise<string[]>
  }
  messages: {
    /** Keeps the contacts of a pharmacy as they are until the end of the transaction. */
    lock(tx: Database, pharmacyId: string): Promise<void>
    count(tx: Database, pharmacyId: string, customer: Customer): Promise<MessageCounts>
    copy(
      pharmacyId: string,
      customer: Customer,
    ): Promise<Pick<CustomerDataCopy, 'contact' | 'consents' | 'messages'>>
    /** The ids of the orders that are linked with the customer's contact. */
    orderIds(tx: Database, pharmacyId: string, customer: Customer): Promise<string[]>
    erase(
      tx: Database,
      pharmacyId: string,
      customer: Customer,
      before: string | undefined,
    ): Promise<MessageCounts>
    numbers(pharmacyId: string): Promise<string[]>
  }
  pharmacyName(pharmacyId: string): Promise<string>
  /** Notes the erasure beside the back-ups, in its transaction. */
  noteErasure(tx: Database, pharmacyId: string, hash: string, erasedAt: string): Promise<void>
  /** The key of the hashes of telephone numbers. */
  hashKey: Buffer
  audit: Pick<Audit, 'record'>
  clock: Clock
}

type MessageCounts = Pick<CustomerDataCounts, 'isContact' | 'messages'>

type PharmacyOf = { pharmacy: { id: string } }

/** What a pharmacy keeps of a customer, who is known by a telephone number: counted, copied and erased. */
export function createCustomerData(dependencies: CustomerDataNeeds) {
  const { db, orders, prioritySessions, messages, audit, clock } = dependencies

  async function find(tx: Database, pharmacyId: string, customer: Customer, before?: string) {
    const linked = await messages.orderIds(tx, pharmacyId, customer)
    return orders.find(tx, pharmacyId, customer, linked, before)
  }

  async function count(tx: Database, pharmacyId: string, customer: Customer) {
    const found = await find(tx, pharmacyId, customer)
    const { here, inAirtable } = found
    const held = heldOf(found)
    return {
      phone: customer.phone,
      orders: here.length,
      waitingOrders: here.filter(({ status }) => status === 'In attesa').length,
      airtableOrders: inAirtable.length,
      airtableNumbers: numbersOf(inAirtable),
      heldOrders: held.length,
      heldNumbers: numbersOf(held),
      prioritySessions: await prioritySessions.count(tx, pharmacyId, withOrders(customer, found)),
      ...(await messages.count(tx, pharmacyId, customer)),
    }
  }

  /** The contact is erased last: it says which orders are the customer's. */
  async function erase(tx: Database, pharmacyId: string, customer: Customer, before?: string) {
    // The phase of the migration of the pharmacy's orders stays as it is.
    await lockPharmacy(tx, pharmacyId)
    await messages.lock(tx, pharmacyId)
    const found = await find(tx, pharmacyId, customer, before)
    // A restored database may have a hold that was released before the erasure: only a later one counts.
    const held = heldOf(found)
    if (held.length > 0) throw new AppError('customer_data.orders_held', { text: heldText(held) })
    await orders.erase(tx, pharmacyId, found)
    return {
      orders: found.here.length,
      airtableOrders: found.inAirtable.length,
      prioritySessions: await prioritySessions.erase(
        tx,
        pharmacyId,
        withOrders(customer, found),
        before,
      ),
      ...(await messages.erase(tx, pharmacyId, customer, before)),
    }
  }

  const hashOf = (pharmacyId: string, { phone }: Customer) =>
    createHmac('sha256', dependencies.hashKey).update(`${pharmacyId} ${phone}`).digest('hex')

  return {
    /** @throws AppError `customer_data.bad_phone` */
    async find({ pharmacy }: PharmacyOf, phone: string): Promise<CustomerDataCounts> {
      return count(db, pharmacy.id, await parse(phone))
    },

    /** @throws AppError `customer_data.bad_phone` */
    async copy({ pharmacy }: PharmacyOf, phone: string, identity: IdentityCheck) {
      const customer = await parse(phone)
      const found = await find(db, pharmacy.id, customer)
      const copied = {
        phone: customer.phone,
        pharmacy: await dependencies.pharmacyName(pharmacy.id),
        madeAt: new Date(clock.now()).toISOString(),
        orders: await orders.copy(pharmacy.id, found),
        prioritySessions: await prioritySessions.copy(pharmacy.id, withOrders(customer, found)),
        ...(await messages.copy(pharmacy.id, customer)),
      }
      const details = { identity, orders: copied.orders.length }
      await audit.record({ action: 'customer_copied', userId: null, details })
      return copied
    },

    /** @throws AppError `customer_data.bad_phone`, `customer_data.orders_held` */
    async erase({ pharmacy }: PharmacyOf, phone: string, identity: IdentityCheck) {
      const customer = await parse(phone)
      const erasedAt = new Date(clock.now()).toISOString()
      return db.transaction().execute(async (tx) => {
        const erased = await erase(tx, pharmacy.id, customer)
        const details = { identity, ...erased }
        await audit.record({ action: 'customer_erased', userId: null, details }, tx)
        const hash = hashOf(pharmacy.id, customer)
        await dependencies.noteErasure(tx, pharmacy.id, hash, erasedAt)
        return { erasedAt, ...erased }
      })
    },

    /**
     * Erases again what is older than erasures that a restored database does not know. Can be repeated.
     *
     * @param erasures by the hash of the telephone number
     * @returns the number of customers of whom something was found, and whether some of their orders stay: those in
     * Airtable, and all of a customer who has one that is held since
     */
    async eraseAgain(pharmacyId: string, erasures: readonly { hash: string; erasedAt: string }[]) {
      const erasedAt = new Map(erasures.map((erasure) => [erasure.hash, erasure.erasedAt]))
      const texts = [
        ...(await orders.numbers(pharmacyId)),
        ...(await prioritySessions.numbers(pharmacyId)),
        ...(await messages.numbers(pharmacyId)),
      ]
      const found = new Map<string, { customer: Customer; before: string }>()
      for (const text of new Set(texts)) {
        for (const customer of await customersIn(text)) {
          const before = erasedAt.get(hashOf(pharmacyId, customer))
          if (before !== undefined) found.set(customer.phone, { customer, before })
        }
      }
      let doSomeStay = false
      for (const { customer, before } of found.values()) {
        try {
          const { airtableOrders } = await db
            .transaction()
            .execute((tx) => erase(tx, pharmacyId, customer, before))
          doSomeStay ||= airtableOrders > 0
        } catch (error) {
          if (!isHeldBack(error)) throw error
          doSomeStay = true
        }
      }
      return { customers: found.size, doSomeStay }
    },
  }
}

/** What is held, also in Airtable: its notes and messages are here. */
function heldOf({ here, inAirtable }: OrdersOfCustomer): OrderOfCustomer[] {
  return [...here, ...inAirtable].filter(({ isHeld }) => isHeld)
}

function heldText(held: readonly OrderOfCustomer[]): string {
  const numbers = numbersOf(held).join(', ')
  const which = numbers === '' ? '' : ` (${numbers})`
  return `L'eliminazione è bloccata per ordini di questo cliente${which}: sbloccala nei loro dettagli e riprova.`
}

function isHeldBack(error: unknown): boolean {
  return error instanceof AppError && error.code === 'customer_data.orders_held'
}

function numbersOf(orders: readonly OrderOfCustomer[]): string[] {
  return orders.flatMap(({ number }) => number ?? []).slice(0, MAX_LISTED_NUMBERS)
}

function withOrders(
  customer: Customer,
  { here, inAirtable }: OrdersOfCustomer,
): CustomerWithOrders {
  return { ...customer, recordIds: [...here, ...inAirtable].map(({ recordId }) => recordId) }
}

async function parse(phone: string): Promise<Customer> {
  const [customer, another] = await customersIn(phone)
  if (!customer || another) throw new AppError('customer_data.bad_phone')
  return customer
}
