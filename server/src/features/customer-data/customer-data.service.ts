import { createHmac } from 'node:crypto'
import {
  type CustomerDataCopy,
  type CustomerDataCounts,
  type CustomerErasure,
  type IdentityCheck,
  MAX_AIRTABLE_NUMBERS,
} from '@bancone/contract/customer-data'
import { AppError } from '../../app-error.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/pharmacy-lock.ts'
import type { Audit } from '../../platform/audit.ts'
import { type Customer, customersIn, type OrdersOfCustomer } from '../../platform/customers.ts'
import type { Clock } from '../../ports/clock.ts'

type OrderCounts = Pick<
  CustomerDataCounts,
  'orders' | 'waitingOrders' | 'airtableOrders' | 'airtableNumbers'
>

/** `before`: only what is older (ISO 8601). `numbers`: all telephone numbers, as they are written. */
export type CustomerDataNeeds = {
  db: Database
  orders: {
    count(pharmacyId: string, of: OrdersOfCustomer, maxNumbers: number): Promise<OrderCounts>
    copy(pharmacyId: string, of: OrdersOfCustomer): Promise<CustomerDataCopy['orders']>
    erase(
      tx: Database,
      pharmacyId: string,
      of: OrdersOfCustomer,
      before: string | undefined,
    ): Promise<readonly unknown[]>
    numbers(pharmacyId: string): Promise<string[]>
  }
  visits: {
    count(pharmacyId: string, customer: Customer): Promise<number>
    copy(pharmacyId: string, customer: Customer): Promise<CustomerDataCopy['visits']>
    erase: Erase
    numbers(pharmacyId: string): Promise<string[]>
  }
  messages: {
    count(
      pharmacyId: string,
      customer: Customer,
    ): Promise<Pick<CustomerDataCounts, 'isContact' | 'messages'>>
    copy(
      pharmacyId: string,
      customer: Customer,
    ): Promise<Pick<CustomerDataCopy, 'contact' | 'consents' | 'messages'>>
    /** The ids of the orders that are linked with the customer's contact. */
    orderIds(tx: Database, pharmacyId: string, customer: Customer): Promise<string[]>
    erase: Erase
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

type Erase = (
  tx: Database,
  pharmacyId: string,
  customer: Customer,
  before: string | undefined,
) => Promise<number>

type PharmacyOf = { pharmacy: { id: string } }

export type CustomerDataService = ReturnType<typeof createCustomerData>

/** What a pharmacy keeps of a customer, who is known by a telephone number: counted, copied and erased. */
export function createCustomerData(dependencies: CustomerDataNeeds) {
  const { db, orders, visits, messages, audit, clock } = dependencies

  async function ordersOf(tx: Database, pharmacyId: string, customer: Customer) {
    return { customer, orderIds: await messages.orderIds(tx, pharmacyId, customer) }
  }

  async function count(pharmacyId: string, customer: Customer): Promise<CustomerDataCounts> {
    const of = await ordersOf(db, pharmacyId, customer)
    return {
      phone: customer.phone,
      ...(await orders.count(pharmacyId, of, MAX_AIRTABLE_NUMBERS)),
      visits: await visits.count(pharmacyId, customer),
      ...(await messages.count(pharmacyId, customer)),
    }
  }

  async function erase(
    tx: Database,
    pharmacyId: string,
    customer: Customer,
    before: string | undefined,
  ) {
    // Before the contact, which says which orders are linked with it.
    const of = await ordersOf(tx, pharmacyId, customer)
    const erased = await orders.erase(tx, pharmacyId, of, before)
    return {
      orders: erased.length,
      visits: await visits.erase(tx, pharmacyId, customer, before),
      messages: await messages.erase(tx, pharmacyId, customer, before),
    }
  }

  const hashOf = (pharmacyId: string, { phone }: Customer) =>
    createHmac('sha256', dependencies.hashKey).update(`${pharmacyId} ${phone}`).digest('hex')

  return {
    /** @throws AppError `customer_data.bad_phone` */
    async find({ pharmacy }: PharmacyOf, phone: string): Promise<CustomerDataCounts> {
      return count(pharmacy.id, await parse(phone))
    },

    /** @throws AppError `customer_data.bad_phone` */
    async copy(
      { pharmacy }: PharmacyOf,
      phone: string,
      identity: IdentityCheck,
    ): Promise<CustomerDataCopy> {
      const customer = await parse(phone)
      const of = await ordersOf(db, pharmacy.id, customer)
      const copied = {
        phone: customer.phone,
        pharmacy: await dependencies.pharmacyName(pharmacy.id),
        madeAt: new Date(clock.now()).toISOString(),
        orders: await orders.copy(pharmacy.id, of),
        visits: await visits.copy(pharmacy.id, customer),
        ...(await messages.copy(pharmacy.id, customer)),
      }
      const details = { identity, orders: copied.orders.length }
      await audit.record({ action: 'customer_copied', userId: null, details })
      return copied
    },

    /** @throws AppError `customer_data.bad_phone` */
    async erase(
      { pharmacy }: PharmacyOf,
      phone: string,
      identity: IdentityCheck,
    ): Promise<CustomerErasure> {
      const customer = await parse(phone)
      const erasedAt = new Date(clock.now()).toISOString()
      const erased = await db.transaction().execute(async (tx) => {
        // The phase of the migration of its orders stays as it is.
        await lockPharmacy(tx, pharmacy.id)
        const counts = await erase(tx, pharmacy.id, customer, undefined)
        const details = { identity, ...counts }
        await audit.record({ action: 'customer_erased', userId: null, details }, tx)
        const hash = hashOf(pharmacy.id, customer)
        await dependencies.noteErasure(tx, pharmacy.id, hash, erasedAt)
        return counts
      })
      const { airtableOrders } = await count(pharmacy.id, customer)
      return { erasedAt, ...erased, airtableOrders }
    },

    /**
     * Erases again what is older than erasures that a restored database does not know. Can be repeated.
     *
     * @param erasures by the hash of the telephone number
     */
    async eraseAgain(
      pharmacyId: string,
      erasures: readonly { hash: string; erasedAt: string }[],
    ): Promise<void> {
      const erasedAt = new Map(erasures.map((erasure) => [erasure.hash, erasure.erasedAt]))
      const numbers = [
        ...(await orders.numbers(pharmacyId)),
        ...(await visits.numbers(pharmacyId)),
        ...(await messages.numbers(pharmacyId)),
      ]
      for (const number of new Set(numbers)) {
        for (const customer of await customersIn(number)) {
          const before = erasedAt.get(hashOf(pharmacyId, customer))
          if (before === undefined) continue
          await db.transaction().execute(async (tx) => {
            await lockPharmacy(tx, pharmacyId)
            await erase(tx, pharmacyId, customer, before)
          })
        }
      }
    },
  }
}

async function parse(phone: string): Promise<Customer> {
  const [customer, another] = await customersIn(phone)
  if (!customer || another) throw new AppError('customer_data.bad_phone')
  return customer
}
