import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeOrderStatus, listOrders, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from './support/app.ts'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { databaseFolder } from './support/data-folder.ts'
import { passWaits } from './support/database.ts'
import { until } from './support/process.ts'

/** One of each kind: of the server, of both, of PostgreSQL alone. Many are for `npm run chaos`. */
const ROUNDS = 3

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

/** The statuses a record may have: the last one seen or acknowledged, and those asked for after it. */
type Allowed = Map<string, string[]>

async function list(token: string): Promise<OrdersPage> {
  const reply = await fetch(`${app.url}${listOrders.path}?pageSize=100`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return OrdersPage.parse(await reply.json())
}

/** Changes statuses until it fails or is stopped, and notes what may be true afterwards. */
async function changeUntilKilled(
  token: string,
  ids: string[],
  allowed: Allowed,
  { stop, onAcknowledged }: { stop: AbortSignal; onAcknowledged: () => void },
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn += 1) {
    const id = ids[turn % ids.length] ?? ''
    const status = OrderStatus.options[Math.floor(Math.random() * 5)] ?? 'In attesa'
    allowed.set(id, [...(allowed.get(id) ?? []), status])
    const reply = await fetch(app.url + changeOrderStatus.path.replace(':recordId', id), {
      method: changeOrderStatus.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fields: { Stato: status } }),
    }).catch(() => undefined)
    if (reply?.status !== 200) return
    await reply.text().catch(() => undefined)
    allowed.set(id, [status])
    onAcknowledged()
  }
}

/** A token, as soon as the database can be asked for one. */
async function signIn(): Promise<string> {
  let token = ''
  await until('the server to let an account in', async () => {
    token = await app.token(accounts.sanMarco).catch(() => '')
    return token !== ''
  })
  return token
}

async function killPostgres(): Promise<void> {
  const cluster = await databaseFolder(app.dataDir)
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

describe('kill -9 in the middle of status changes', () => {
  it(
    'loses nothing that was acknowledged, and leaves nothing half done',
    async () => {
      let token = await signIn()
      const records = (await list(token)).records.slice(0, 12)
      const ids = records.map((record) => record.id)
      // As they are before anything is asked for: of a refused change that is what stays.
      const allowed: Allowed = new Map(records.map(({ id, fields }) => [id, [fields.Stato]]))
      for (let round = 0; round < ROUNDS; round += 1) {
        const killed = new AbortController()
        let acknowledged = 0
        const progress = { stop: killed.signal, onAcknowledged: () => (acknowledged += 1) }
        const lanes = [0, 1, 2].map((lane) =>
          changeUntilKilled(token, ids.slice(lane * 4, lane * 4 + 4), allowed, progress),
        )
        await until('changes to be acknowledged', () => acknowledged > 1)
        await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 300))
        // The server, both, or its PostgreSQL alone: then the server lives and starts it again.
        const kind = round % 3
        if (kind > 0) await killPostgres()
        if (kind < 2) await app.program().end('SIGKILL')
        killed.abort()
        await Promise.all(lanes)
        if (kind < 2) await app.start()
        else await app.ready()
        token = await signIn()
        const page = await list(token)
        for (const [id, statuses] of allowed) {
          const now = page.records.find((record) => record.id === id)?.fields.Stato ?? 'missing'
          expect(statuses, `record ${id} in round ${round}`).toContain(now)
          allowed.set(id, [now])
        }
        const { total, confirmed, pending, processing, cancelled } = page.statistics
        expect(confirmed + pending + processing + cancelled).toBe(total)
      }

      await until(
        'Airtable to hold what the server holds',
        async () => {
          await passWaits(app)
          const page = await list(token)
          const stored = await app.airtable.statuses()
          return [...allowed.keys()].every((id) => {
            const here = page.records.find((record) => record.id === id)?.fields.Stato
            return here === stored.get(id)
          })
        },
        120,
      )
    },
    2 * 60_000,
  )
})
