import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AIRTABLE_WEBHOOK_PATH, PharmacyAirtable } from '@bancone/contract/airtable'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import type { FastifyBaseLogger } from 'fastify'
import { expect, vi } from 'vitest'
import { WEBHOOKS_TASK } from '../src/features/airtable/airtable.wiring.ts'
import type { SourceLocation } from '../src/ports/order-source.ts'
import { type AdministrationServer, administrationServer } from './administration-server.ts'
import { atEnd } from './at-end.ts'
import { capturedLog } from './captured-log.ts'

const BASES = 20
const OTHER_TABLE = 'tblAltri000000001'

/** The base and table of an order source, and a second table of the base. */
export type TestBase = SourceLocation & { otherTableId: string }

export type AirtableServer = Awaited<ReturnType<typeof airtableServer>>

/** The application with a sandbox of Airtable whose pings reach it. */
export async function airtableServer(log?: FastifyBaseLogger) {
  const bases: TestBase[] = Array.from({ length: BASES }, (_, index) => {
    const id = String(index + 1).padStart(9, '0')
    return { baseId: `appBase0${id}`, tableId: `tblOrd00${id}`, otherTableId: OTHER_TABLE }
  })
  const airtable: AirtableSandbox = await startAirtable({
    bases: Object.fromEntries(
      bases.map(({ baseId, tableId }) => [
        baseId,
        [ordersTable(tableId), ordersTable(OTHER_TABLE)],
      ]),
    ),
    requestsPerSecond: 10_000,
    pingRetryMs: 5,
  })
  atEnd(() => airtable.close())

  const started: { server?: AdministrationServer } = {}
  const pings: { path: string; body: string; mac: string; status: number }[] = []
  async function relayed(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await request.toArray()).toString()
    const mac = String(request.headers['x-airtable-content-mac'])
    const path = request.url ?? ''
    const status = (await started.server?.app.inject(pingOf(path, body, mac)))?.statusCode ?? 503
    pings.push({ path, body, mac, status })
    response.writeHead(status).end()
  }
  const relay = createServer((request, response) => void relayed(request, response))
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  atEnd(() => relay.close())
  const address = relay.address()
  const port = typeof address === 'object' && address ? address.port : 0

  const settings = {
    publicUrl: `http://127.0.0.1:${port}`,
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond: 1_000,
      perSecondOfUser: 1_000,
      secondMs: 10,
      retryMs: 1,
      pauseMs: 10,
    },
    timing: { pollSchedule: { checkIntervalMs: 10 } },
  }
  const warned = capturedLog('warn')
  const server = await administrationServer(settings, log ?? warned.log)
  started.server = server
  const { app, database, ask, runTask } = server

  async function state(pharmacyId: string): Promise<PharmacyAirtable> {
    const reply = await ask('GET', `/api/admin/pharmacies/${pharmacyId}/airtable`)
    return PharmacyAirtable.parse(reply.json())
  }

  async function webhook(baseId: string) {
    const { rows } = await database.pool.query<{
      id: string
      state: string
      webhook_id: string | null
      table_id: string | null
    }>('select id, state, webhook_id, table_id from airtable_webhooks where base_id = $1', [baseId])
    return rows[0]
  }

  let pharmacies = 0

  return {
    ...server,
    airtable,
    bases,
    pings,
    state,
    webhook,
    settings,
    ping: (path: string, body: string, mac: string) => app.inject(pingOf(path, body, mac)),

    /** A pharmacy with a base of its own, or that one, whose orders are on a screen. */
    async addWatched(base: SourceLocation = nextBase()) {
      pharmacies += 1
      const email = `farmacia-${pharmacies}@example.it`
      const { baseId, tableId } = base
      const airtableOf = { baseId, tableId }
      const id = await server.addPharmacy({
        email,
        code: `AIR-${pharmacies}`,
        airtable: airtableOf,
      })
      const headers = await server.signIn(email)
      const customers = async () => {
        const reply = await app.inject({ url: '/api/airtable-orders?getAllRecords=true', headers })
        const { records } = reply.json<{ records: { fields: { Cliente: string } }[] }>()
        return records.map(({ fields }) => fields.Cliente).sort()
      }
      return { id, headers, base: { ...base, otherTableId: OTHER_TABLE }, customers }
    },

    /** Runs the check of all webhooks. */
    async checkWebhooks() {
      await database.pool.query('update airtable_webhooks set check_at = now()')
      await runTask(WEBHOOKS_TASK)
    },

    addOrder(base: SourceLocation, customer: string): string {
      const fields = { Cliente: customer, Stato: 'In attesa' }
      const [id = ''] = airtable.create(base.baseId, base.tableId, [{ fields }])
      return id
    },

    /** Seconds until the copy is polled. */
    async secondsToPoll(pharmacyId: string): Promise<number> {
      const { rows } = await database.pool.query<{ seconds: number }>(
        'select extract(epoch from poll_at - now())::float8 as seconds from order_copies where pharmacy_id = $1',
        [pharmacyId],
      )
      return rows[0]?.seconds ?? Number.NaN
    },

    async waitForState(baseId: string, expected: string) {
      const look = async () => {
        const found = await webhook(baseId)
        // What else there is to know is shown by a failure.
        expect(found?.state, JSON.stringify({ ...found, pings, warnings: warned.lines })).toBe(
          expected,
        )
      }
      await vi.waitFor(look, { timeout: 5_000 })
    },
  }

  function nextBase(): TestBase {
    const base = bases[pharmacies]
    if (!base) throw new Error('there are no bases left')
    return base
  }
}

function pingOf(path: string, body: string, mac: string) {
  const headers = { 'content-type': 'application/json', 'x-airtable-content-mac': mac }
  return { method: 'POST' as const, url: path, headers, payload: body }
}

export const pathOfPing = (id: string) => `${AIRTABLE_WEBHOOK_PATH}/${id}`
