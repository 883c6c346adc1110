import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ExportFormat, OrderExport } from '@bancone/contract/order-exports'
import { appSecret, type BenchDatabase } from './database.ts'
import { MANY_ORDERS, manyOrders, signInTo, watchMemory } from './many-orders.ts'
import { startProcess } from './server-process.ts'

const MEMORY_GOAL = 50

/** Milliseconds that a slow client pauses after each piece. Workbooks have fewer of them. */
const RESTS: Record<ExportFormat, number> = { csv: 10, xlsx: 20 }

/** What a file of all orders of one pharmacy costs the server's memory, however slowly it is taken. */
export async function benchExports(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const { email } = await manyOrders(database)
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-exports-'))
  const served = await startProcess(['dist/server/main.js'], 3905, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  try {
    const headers = await signInTo(served.url, email)
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${served.url}/api/${path}`, { ...init, headers })
    const exportOf = async (reply: Promise<Response>) =>
      OrderExport.parse(await (await reply).json())

    async function takeAll(format: ExportFormat, restMs: number) {
      const body = JSON.stringify({ format })
      const { id } = await exportOf(ask('orders/exports', { method: 'POST', body }))
      const begun = performance.now()
      const bytes = await take(await ask(`orders/exports/${id}/file`), restMs)
      const seconds = (performance.now() - begun) / 1000
      const { state, done } = await exportOf(ask(`orders/exports/${id}`))
      if (state !== 'done' || done !== MANY_ORDERS) missed.push(`all orders are in the ${format}`)
      return { megabytes: bytes / 1e6, seconds }
    }

    for (let page = 1; page <= 20; page += 1) {
      await (await ask(`airtable-orders?page=${page}`)).arrayBuffer()
    }
    // What one leaves behind counts for the next.
    const before = await served.memory()
    for (const format of ExportFormat.options) {
      const watched = watchMemory(served)
      const fast = await takeAll(format, 0)
      const slow = await takeAll(format, RESTS[format])
      const grown = watched.stop() - before
      if (grown >= MEMORY_GOAL) missed.push(`memory of an export as ${format}`)
      say(
        `Export of ${MANY_ORDERS} orders as ${format}: ${fast.megabytes.toFixed(0)} MB in ` +
          `${fast.seconds.toFixed(1)} s, and slowly in ${slow.seconds.toFixed(1)} s: the server's memory ` +
          `grew by ${grown.toFixed(0)} MB from ${before.toFixed(0)} (goal: below ${MEMORY_GOAL})`,
      )
    }
  } finally {
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Takes the answer to its end, with a rest after each piece. */
async function take(reply: Response, restMs: number): Promise<number> {
  let bytes = 0
  for await (const piece of reply.body ?? []) {
    bytes += Buffer.from(piece).byteLength
    if (restMs > 0) await pause(restMs)
  }
  return bytes
}
