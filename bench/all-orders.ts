import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { appSecret, type BenchDatabase } from './database.ts'
import { MANY_ORDERS, manyOrders, signInTo, watchMemory } from './many-orders.ts'
import { startProcess } from './server-process.ts'

const MEMORY_GOAL = 50

/** What the list of all orders of one pharmacy costs the server's memory, however slowly it is taken. */
export async function benchAllOrders(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const { email } = await manyOrders(database)
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-all-'))
  const served = await startProcess(['dist/server/main.js'], 3904, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  try {
    const headers = await signInTo(served.url, email)
    const ask = (query: string) => fetch(`${served.url}/api/airtable-orders?${query}`, { headers })
    for (let page = 1; page <= 20; page += 1) await (await ask(`page=${page}`)).arrayBuffer()
    const before = await served.memory()

    const watched = watchMemory(served)
    const begun = performance.now()
    const whole = await take(await ask('getAllRecords=true'))
    const seconds = (performance.now() - begun) / 1000
    // A slow client must not make the server buffer the rows that it has not read yet.
    const slow = await take(await ask('getAllRecords=true'), 5)
    const most = watched.stop()
    const isWhole = whole.orders === MANY_ORDERS && slow.orders === MANY_ORDERS
    if (!isWhole) missed.push('all orders are there')
    if (most - before >= MEMORY_GOAL) missed.push('memory of the list of all orders')
    say(
      `All ${MANY_ORDERS} orders of a pharmacy: ${(whole.bytes / 1e6).toFixed(0)} MB in ` +
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
