import { PushMessage } from '@bancone/contract/notifications'
import { type PushServiceSandbox, startPushService } from '@bancone/sandbox/push-service'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { z } from 'zod'
import { enqueueArrivals } from '../src/features/notifications/push-devices.store.ts'
import { runJobs } from '../src/platform/jobs.ts'
import type { Settings } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'

type Headers = { authorization: string }
export type TestDevice = ReturnType<PushServiceSandbox['addDevice']>

export type PushServer = Omit<TestServer, 'jobs'> & {
  pushService: PushServiceSandbox
  /** A new, signed-in pharmacy. */
  newPharmacy(): Promise<{ id: string; email: string; headers: Headers }>
  /** Calls `/api/notifications/{what}`. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    what: string,
    headers: Headers,
    payload?: object,
  ): Promise<{ status: number; body: unknown }>
  /** Subscribes a new device. */
  newDevice(headers: Headers): Promise<TestDevice>
  /** Inserts new orders in one transaction. */
  ordersCome(pharmacyId: string, howMany: number): Promise<void>
  /** Marks all orders as seen. */
  ordersAreSeen(pharmacyId: string): Promise<void>
  /** Waits until every due job has ended, successfully or not. */
  jobsAreDone(): Promise<void>
  /** Makes delayed jobs due now. @returns the seconds that each would have waited */
  hurryJobs(): Promise<number[]>
}

let made = 0

/** The real application with its jobs running, and the sandbox of a push service. */
export async function pushServer(settings: Partial<Settings> = {}): Promise<PushServer> {
  const pushService = await startPushService()
  atEnd(pushService.close)
  const server = await testServer({ outboundAllow: [pushService.url], ...settings })
  const { app, database } = server
  const { pool, db } = database
  const jobs = await runJobs(database.url, { tasks: server.jobs.tasks }, silentLog)
  atEnd(jobs.stop)

  const call: PushServer['call'] = async (method, what, headers, payload) => {
    const url = `/api/notifications/${what}`
    const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: reply.statusCode, body: reply.json() }
  }

  return {
    ...server,
    pushService,
    call,
    async newPharmacy() {
      made += 1
      const email = `pharmacy-${made}@example.it`
      const id = await server.addPharmacy({ email, code: `PHARM-${made}` })
      return { id, email, headers: await server.signIn(email) }
    },
    async newDevice(headers) {
      const device = pushService.addDevice()
      const reply = await call('POST', 'devices', headers, device.subscription)
      expect(reply).toEqual({ status: 200, body: {} })
      return device
    },
    async ordersCome(pharmacyId, howMany) {
      await db.transaction().execute(async (tx) => {
        await sql`
          insert into pharmacy_orders (
            pharmacy_id, airtable_order_id, customer_name, order_details, airtable_created, airtable_last
          )
          select ${pharmacyId}, 'rec' || gen_random_uuid(), 'Giulia Bianchi',
            'Tachipirina 1000, NRE 1300A4000000248 cf RSSMRA79B11C566R',
            now(), now()
          from generate_series(1, ${howMany})
        `.execute(tx)
        await enqueueArrivals(tx, pharmacyId)
      })
    },
    async ordersAreSeen(pharmacyId) {
      await pool.query('update pharmacy_orders set seen_at = now() where pharmacy_id = $1', [
        pharmacyId,
      ])
    },
    async jobsAreDone() {
      const due = async () => {
        const { rowCount } = await pool.query(
          'select from graphile_worker._private_jobs where run_at <= now()',
        )
        return rowCount
      }
      await expect.poll(due, { timeout: 10_000 }).toBe(0)
    },
    async hurryJobs() {
      const { rows } = await pool.query<{ seconds: string }>(
        `with later as (
          select id, extract(epoch from run_at - updated_at) as seconds
          from graphile_worker._private_jobs where run_at > now()
        ), hurried as (
          update graphile_worker._private_jobs set run_at = now() from later
          where later.id = _private_jobs.id returning seconds
        )
        select round(seconds) as seconds, pg_notify('jobs:insert', '{"count": 1}') from hurried`,
      )
      return rows.map(({ seconds }) => Number(seconds))
    },
  }
}

const Message = z.strictObject(PushMessage.shape)

/** The messages that the device's service worker received. */
export function seenBy(device: TestDevice): PushMessage[] {
  return device.messages.map(({ text }) => Message.parse(JSON.parse(text)))
}
