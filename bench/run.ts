import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { z } from 'zod'
import { benchAllOrders } from './all-orders.ts'
import {
  appSecret,
  type BenchPharmacy,
  benchDatabase,
  ORDERS_EACH,
  orderText,
  PHARMACIES,
  password,
} from './database.ts'
import { benchExports } from './exports.ts'
import { benchImages } from './images.ts'
import { benchLighthouse } from './lighthouse.ts'
import { compare, type Target } from './load.ts'
import { benchOrdersMigration } from './orders-migration.ts'
import { benchPharmacyOverview } from './pharmacy-overview.ts'
import { benchPriority } from './priority.ts'
import { benchPublicOffers } from './public-offers.ts'
import { benchRealtime } from './realtime.ts'
import { benchSearch } from './search.ts'
import { startProcess } from './server-process.ts'
import { benchSignIn } from './sign-in.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const SECONDS = 4
const MEMORY_GOAL = 150
const say = (line: string) => process.stdout.write(`${line}\n`)
const missed: string[] = []
const sessions = new Map<string, Record<string, string>>()
/** Megabytes, at the end of every load. */
const memory: number[] = []

say(`Preparing ${PHARMACIES * ORDERS_EACH} orders of ${PHARMACIES} pharmacies…`)
const database = await benchDatabase()
const { pharmacies } = database
const onAirtable = pharmacies.filter(({ baseId }) => baseId !== null)
const airtable = await startAirtable({
  bases: Object.fromEntries(
    onAirtable.map(({ baseId }) => [baseId ?? '', [ordersTable('tblBench000000001')]] as const),
  ),
})
// What the copies of those ten pharmacies are made from.
for (const { baseId } of onAirtable) {
  const fields = {
    Cliente: 'Giulia Bianchi',
    Ordine: orderText,
    'Phone Number': '+39 333 123 4567',
  }
  const orders = Array.from({ length: ORDERS_EACH }, (_, n) => ({
    createdTime: Date.now() - (ORDERS_EACH - n) * 60_000,
    fields: {
      ...fields,
      Stato: OrderStatus.options[n % 5],
      Indirizzo: 'Via Garibaldi 12, Venezia',
    },
  }))
  airtable.create(baseId ?? '', 'tblBench000000001', orders)
}
const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-data-'))
const served = await startProcess(['dist/server/main.js'], 3901, {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  APP_SECRET: appSecret,
  LOG_LEVEL: 'info',
  AIRTABLE_API_URL: airtable.url,
  AIRTABLE_TOKEN: airtable.token,
})
const bareServer = await startProcess(['--import', 'tsx', 'bench/bare-server.ts'], 3902, {
  DATABASE_URL: database.url,
})

try {
  const idle = await served.memory()
  for (const pharmacy of pharmacies) sessions.set(pharmacy.id, await signIn(pharmacy))
  await Promise.all(onAirtable.map(copied))
  const bare = 'bare node:http + pg with count(*)'

  const few = [1, 2, 3, 1, 1]
  await show('Orders page', bare, 1.5, pagesOf(pharmacies, few))
  await show('  of pharmacies on Airtable', bare, 1.5, pagesOf(onAirtable, few))
  // More pages than are kept in memory, so that each comes from the database.
  const many = Array.from({ length: ORDERS_EACH / 20 }, (_, n) => n + 1)
  await show('  each read from the database', bare, undefined, pagesOf(pharmacies, many))
  await show('Status change', 'bare node:http + pg with one UPDATE', 0.3, changes())

  const most = Math.max(...memory)
  if (most >= MEMORY_GOAL) missed.push('memory')
  say(
    `Memory of the server: ${idle.toFixed(0)} MB at rest, ${most.toFixed(0)} MB at most under load ` +
      `(goal: below ${MEMORY_GOAL})`,
  )

  await served.stop()
  await bareServer.stop()
  await benchAllOrders(database, { say, missed })
  await benchExports(database, { say, missed })
  await benchRealtime(database, { say, missed })
  await benchSignIn(database, { say, missed })
  await benchImages(database, { say, missed })
  await benchLighthouse({ say, missed })
  await benchSearch(database, { say, missed })
  await benchPublicOffers(database, { say, missed })
  await benchPriority(database, { say, missed })
  // Last: it adds pharmacies.
  await benchPharmacyOverview(database, { say, missed })
  await benchOrdersMigration(database, { say, missed })
} finally {
  await served.stop()
  await bareServer.stop()
  await airtable.close()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}
if (missed.length > 0) {
  say(`Missed: ${missed.join(', ')}`)
  process.exitCode = 1
}

/** Waits for the first copy of its orders. */
async function copied({ id }: BenchPharmacy): Promise<void> {
  for (;;) {
    const reply = await fetch(`${served.url}/api/airtable-orders`, {
      headers: sessions.get(id) ?? {},
    })
    const { statistics } = OrdersPage.parse(await reply.json())
    if (statistics.total === ORDERS_EACH) return
    await pause(500)
  }
}

async function signIn({ email }: BenchPharmacy): Promise<Record<string, string>> {
  const reply = await fetch(`${served.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await reply.json())
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

/** Ours and the bare server's, for the same pages of the same pharmacies. */
function pagesOf(some: BenchPharmacy[], pages: number[]): [Target, Target] {
  const each = pages.flatMap((page) => some.map((pharmacy) => ({ pharmacy, page })))
  return [
    {
      url: served.url,
      method: 'GET',
      requests: each.map(({ pharmacy, page }) => ({
        path: `/api/airtable-orders?page=${page}`,
        headers: sessions.get(pharmacy.id) ?? {},
      })),
    },
    {
      url: bareServer.url,
      method: 'GET',
      requests: each.map(({ pharmacy, page }) => ({
        path: `/orders?pharmacy=${pharmacy.id}&page=${page}`,
      })),
    },
  ]
}

/** Of a pharmacy whose orders are ours: Airtable takes five changes a second, whoever asks. */
function changes(): [Target, Target] {
  const pharmacy = pharmacies.at(-1)
  if (!pharmacy) throw new Error('there is no pharmacy')
  const statuses = ['In attesa', 'Confermato', 'Prenotato Domani']
  const bodies = database.recordIds.map((id, n) => ({
    id,
    body: JSON.stringify({ fields: { Stato: statuses[n % statuses.length] } }),
  }))
  return [
    {
      url: served.url,
      method: 'PATCH',
      requests: bodies.map(({ id, body }) => ({
        path: `/api/airtable-orders/${id}`,
        headers: sessions.get(pharmacy.id) ?? {},
        body,
      })),
    },
    {
      url: bareServer.url,
      method: 'PATCH',
      requests: bodies.map(({ id, body }) => ({
        path: `/orders/${id}?pharmacy=${pharmacy.id}`,
        body,
      })),
    },
  ]
}

async function show(
  what: string,
  against: string,
  goal: number | undefined,
  pair: [Target, Target],
) {
  const { first, second, failed } = await compare(...pair, ROUNDS, SECONDS)
  memory.push(await served.memory())
  const ratio = first / second
  if (failed > 0 || (goal !== undefined && ratio < goal)) missed.push(what.trim())
  say(
    `${what}: ${first.toFixed(0)}/s against ${second.toFixed(0)}/s of a ${against}: ` +
      `ratio ${ratio.toFixed(2)} (${goal === undefined ? 'no goal' : `goal: at least ${goal}`})` +
      (failed > 0 ? `, ${failed} FAILED` : ''),
  )
}
