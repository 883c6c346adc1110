import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { onTestFinished } from 'vitest'
import type { DatabaseConnection } from '../../src/database/database.ts'
import type { Settings, Wired } from '../../src/wiring/wiring.ts'
import { atEnd } from '../at-end.ts'
import { noLimits } from '../auth-server.ts'
import { type TestServer, testApp, testServer } from '../server.ts'
import { silentLog } from '../silent-log.ts'

export type Listening = { origin: string; port: number }

export type RealtimeServer = TestServer & Listening

/** The real application, listening. */
export async function realtimeServer(settings: Partial<Settings> = {}): Promise<RealtimeServer> {
  const server = await testServer({ limits: noLimits, ...settings })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  return { ...server, port, origin: `http://127.0.0.1:${port}` }
}

type Another = Partial<Settings> & {
  port?: number
  log?: FastifyBaseLogger
  /** Whether it stops at the end of the test or of the file. */
  lasts?: 'test' | 'file'
}

/** Another server of the same application, in this process. */
export async function anotherServer(
  database: DatabaseConnection,
  { port: wanted = 0, log = silentLog, lasts = 'test', ...settings }: Another = {},
): Promise<Listening & Pick<Wired, 'sessions' | 'realtime'> & { stop(): Promise<void> }> {
  const { wired, app } = await testApp(database, { limits: noLimits, ...settings }, log)
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= app.close().then(wired.close))
  if (lasts === 'test') onTestFinished(stop)
  else atEnd(stop)
  await app.listen({ port: wanted, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return {
    sessions: wired.sessions,
    realtime: wired.realtime,
    stop,
    port,
    origin: `http://127.0.0.1:${port}`,
  }
}

let pharmacies = 0

export type Pharmacy = { id: string; email: string; token: string; topic: string }

/** A new pharmacy, signed in. */
export async function newPharmacy(server: RealtimeServer): Promise<Pharmacy> {
  pharmacies += 1
  const email = `farmacia${pharmacies}@example.it`
  const id = await server.addPharmacy({ email, code: `F${pharmacies}` })
  return { id, email, token: await tokenOf(server, email), topic: `pharmacy:${id}` }
}

/** The access token of a new session. */
export async function tokenOf(server: RealtimeServer, email: string): Promise<string> {
  const { authorization } = await server.signIn(email)
  return authorization.replace('Bearer ', '')
}

/** An order in the database. @returns its record id */
export async function insertOrder(server: RealtimeServer, pharmacyId: string): Promise<string> {
  const { rows } = await server.database.pool.query<{ id: string }>(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, status, airtable_created, airtable_last)
     values ($1, 'rec' || lpad(nextval('pharmacy_orders_id_seq')::text, 14, '0'), 'In attesa', now(), now())
     returning airtable_order_id as id`,
    [pharmacyId],
  )
  return rows[0]?.id ?? ''
}
