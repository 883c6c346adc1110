import { EXPIRY_OF_PHARMACY_TASK } from '../src/features/orders/expiry/order-expiry.store.ts'
import { EXPIRY_TASK } from '../src/features/orders/orders.wiring.ts'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../src/features/orders/sync/order-copy.store.ts'
import type { SourceOrder } from '../src/ports/order-source.ts'
import { sourceOrder } from './orders.ts'
import { testServer } from './server.ts'

const DAY_MS = 24 * 60 * 60_000

/** For how long orders keep their customers' data here. */
export const DAYS = 90

/** What is known of the customer of an order. */
export const PERSONAL = {
  customerName: 'Ermenegilda Zanetti',
  customerPhone: '333 765 4321',
  address: 'Calle Lunga 7',
  details: 'Ramipril 5 mg',
  waId: '393337654321',
  pharmaWa: '390411234567',
  image: { url: 'https://example.it/ricetta-zanetti.png', ref: 'attZanetti' },
}

export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

type Days = number | null

/** A server with a pharmacy whose orders are in the database only, and one on Airtable. */
export async function expiryServer() {
  const server = await testServer()
  const pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  const headers = await server.signIn('own@example.it')
  const airtable = { baseId: 'appAltra000000001', tableId: 'tblAltra000000001' }
  const onAirtable = await server.addPharmacy({
    email: 'at@example.it',
    code: 'PHARM-0002',
    airtable,
  })

  const query = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    server.database.pool.query<Row>(text, values)

  /** Sets the days of the platform. */
  async function keepFor(orderDays: Days) {
    await query(
      `insert into platform_settings (key, value) values ('order_retention', $1)
        on conflict (key) do update set value = excluded.value`,
      { orderDays },
    )
  }

  /** @returns the record id */
  async function save(owner: string, order: Partial<SourceOrder>): Promise<string> {
    const saved = sourceOrder({ ...PERSONAL, createdAt: order.updatedAt ?? daysAgo(0), ...order })
    await createOrderCopyStore(server.database.db, noHooks).saveOrders(owner, [saved], daysAgo(0))
    return saved.recordId
  }

  /** A request of the pharmacy's owner. */
  async function call(method: 'GET' | 'PUT' | 'DELETE', url: string, payload?: object) {
    const reply = await server.app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
  }

  return {
    server,
    pharmacyId,
    headers,
    onAirtable,
    query,
    keepFor,
    save,
    call,

    async empty() {
      for (const table of [
        'pharmacy_orders',
        'whatsapp_contacts',
        'priority_access_sessions',
        'order_retention_periods',
      ])
        await query(`delete from ${table}`)
      await keepFor(DAYS)
    },

    saveOld: () => save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) }),

    hold: (recordId: string, reason: string) =>
      call('PUT', `/api/orders/${recordId}/hold`, { reason }),

    /** Chooses the days of the pharmacy. */
    choose: (orderDays: Days, seen: Days = null, platformDays: Days = DAYS) =>
      call('PUT', '/api/order-retention', {
        orderDays,
        seen: { orderDays: seen, platformDays },
      }),

    /** The task of the night, and the jobs that it has enqueued. */
    async expire() {
      await server.runTask(EXPIRY_TASK)
      let jobs: object[]
      do {
        const { rows } = await query<{ payload: object }>(
          `delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
            where task.id = job.task_id and task.identifier = $1 returning job.payload`,
          EXPIRY_OF_PHARMACY_TASK,
        )
        jobs = rows.map(({ payload }) => payload)
        for (const payload of jobs) await server.runTask(EXPIRY_OF_PHARMACY_TASK, payload)
      } while (jobs.length > 0)
    },

    async names(): Promise<(string | null)[]> {
      const { rows } = await query<{ customer_name: string | null }>(
        'select customer_name from pharmacy_orders order by id',
      )
      return rows.map(({ customer_name }) => customer_name)
    },
  }
}
