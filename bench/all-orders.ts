import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { appSecret, type BenchDatabase, orderText, password } from './database.ts'
import { startProcess } from './server-process.ts'

const ORDERS = 200_000
const MEMORY_GOAL = 50

const Session = z.object({ access_token: z.string() })

/** What the list of all orders of one pharmacy costs the server's memory, however slowly it is taken. */
export async function benchAllOrders(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const pharmacy = database.pharmacies.at(-2)
  if (!pharmacy) throw new Error('there is no pharmacy')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name,
       customer_phone, order_details, address, airtable_created, airtable_last, seen_at)
     select $1, 'recMany' || n, n::text, 'Giulia Bianchi', '+39 333 123 4567',
       '${orderText}', 'Via Giuseppe Garibaldi 12, 30124 Venezia VE',
       now() - make_interval(mins => $2 - n), now(), now()
     from generate_series(1, $2::int - (
       select count(*)::int from pharmacy_orders where pharmacy_id = $1
     )) n`,
    [pharmacy.id, ORDERS],
  )
  await client.query('vacuum analyze pharmacy_orders')
  await client.end()

  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-all-'))
  const served = await startProcess(['dist/server/main.js'], 3904, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  try {
    const signedIn = await fetch(`${served.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: pharmacy.email, password }),
    })
    const { access_token: token } = Session.parse(await signedIn.json())
    const ask = (query: string) =>
      fetch(`${served.url}/api/airtable-orders?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    for (let page = 1; page <= 20; page += 1) await (await ask(`page=${page}`)).arrayBuffer()
    const before = await served.memory()

    let most = before
    const done = new AbortController()
    const watch = async () => {
      while (!done.signal.aborted) {
        most = Math.max(most, await served.memory())
        await pause(50)
      }
    }
    const watched = watch()
    const begun = performance.now()
    const whole = await take(await ask('getAllRecords=true'))
    const seconds = (performance.now() - begun) / 1000
    // Somebody whose line is slow must not make the server keep what they have not taken yet.
    const slow = await take(await ask('getAllRecords=true'), 5)
    done.abort()
    await watched
    if (whole.orders !== ORDERS || slow.orders !== ORDERS) missed.push('all orders are there')
    if (most - before >= MEMORY_GOAL) missed.push('memory of the list of all orders')
    say(
      `All ${ORDERS} orders of a pharmacy: ${(whole.bytes / 1e6).toFixed(0)} MB in ` +
        `${seconds.toFixed(1)} s, once fast and once slowly: the server's memory grew by ` +
        `${(most - before).toFixed(0)} MB from ${before.toFixed(0)} (goal: below ${MEMORY_GOAL})`,
    )
  } finally {
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Takes the answer to its end, with a rest after each piece. */
async function take(reply: Response, restMs = 0) {
  let bytes = 0
  let orders = 0
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of reply.body ?? []) {
    const text = rest + decoder.decode(Buffer.from(piece), { stream: true })
    orders += text.split('"createdTime"').length - 1
    rest = text.slice(-12)
    bytes += Buffer.from(piece).byteLength
    if (restMs > 0) await pause(restMs)
  }
  return { bytes, orders }
}
