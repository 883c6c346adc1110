import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { BenchPharmacy } from './database.ts'
import { quantile } from './load.ts'
import { signInTo } from './many-orders.ts'
import type { ServerProcess } from './server-process.ts'

/** A thousand pharmacies with a million views a year have 32 views a second, and three times as many at noon. */
const VIEWS_A_SECOND = 100
const READERS = 2
const ROUNDS = 7
const SECONDS = 2
const GOAL = 1.5

type Options = {
  served: ServerProcess
  /** The readable codes of the pharmacies. */
  codes: string[]
  shown: BenchPharmacy[]
  say(line: string): void
  missed: string[]
}

/** What the page of orders takes while views come in, against without them. */
export async function benchVisitsBesideOrders(options: Options): Promise<void> {
  const { served, codes, shown, say, missed } = options
  const sessions: Record<string, string>[] = []
  for (const { email } of shown) sessions.push(await signInTo(served.url, email))
  const times: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] }
  let sent = 0

  // From a process of its own, so that the times of pages are those of the server.
  const stream = fork(
    new URL('view-stream.ts', import.meta.url),
    [served.url, String(VIEWS_A_SECOND), ...codes],
    { execArgv: ['--import', 'tsx'] },
  )
  try {
    for (let round = -1; round < ROUNDS; round += 1) {
      const alone = await readOrders()
      stream.send('go')
      const beside = await readOrders()
      stream.send('rest')
      const reported: unknown[] = await Promise.race([
        once(stream, 'message'),
        once(stream, 'exit'),
      ])
      if (!stream.connected) throw new Error('the views failed')
      if (round < 0) continue
      sent += Number(reported[0])
      times.alone.push(...alone)
      times.beside.push(...beside)
    }
  } finally {
    stream.kill()
  }
  const [alone, beside] = [quantile(times.alone, 0.99), quantile(times.beside, 0.99)]
  const ratio = beside / alone
  if (ratio > GOAL) missed.push('orders beside views')
  say(
    `Orders page beside ${(sent / ROUNDS / SECONDS).toFixed(0)} views a second: p99 ${beside.toFixed(1)} ms ` +
      `against ${alone.toFixed(1)} ms without: ratio ${ratio.toFixed(2)} (goal: at most ${GOAL}); medians ` +
      `${quantile(times.beside, 0.5).toFixed(1)} and ${quantile(times.alone, 0.5).toFixed(1)} ms, ` +
      `${times.beside.length} and ${times.alone.length} pages`,
  )

  /** Reads pages of orders for some seconds. @returns milliseconds of each */
  async function readOrders(): Promise<number[]> {
    const until = performance.now() + SECONDS * 1000
    const taken: number[] = []
    async function readAll(reader: number): Promise<void> {
      for (let n = reader; performance.now() < until; n += READERS) {
        const headers = sessions[n % sessions.length] ?? {}
        const begun = performance.now()
        const reply = await fetch(`${served.url}/api/airtable-orders?page=${1 + (n % 3)}`, {
          headers,
        })
        await reply.arrayBuffer()
        taken.push(performance.now() - begun)
        if (!reply.ok) throw new Error(`the orders answered ${reply.status}`)
      }
    }
    await Promise.all(Array.from({ length: READERS }, (_, reader) => readAll(reader)))
    return taken
  }
}
