import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrdersPage } from '@bancone/contract/orders'
import { appSecret, type BenchDatabase } from './database.ts'
import { median } from './load.ts'
import { searchMix } from './search-mix.ts'
import { prepareOrders } from './search-orders.ts'
import { signInTo, startProcess } from './server-process.ts'

const ORDERS = 1_000_000
const ROUNDS = 3
const SEARCHES = 1_000
const GOAL = 3

/** Milliseconds that a call took. */
type Call = () => Promise<number>

/**
 * Measures how long a search among a million orders takes, against the first page of the same pharmacy: the
 * slowest hundredth of each. No search is made twice, so that none is answered from memory.
 */
export async function benchSearch(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const pharmacy = database.pharmacies.at(-3)
  if (!pharmacy) throw new Error('there is no pharmacy')
  say(`Preparing ${ORDERS} orders of one pharmacy…`)
  await prepareOrders(database.url, pharmacy.id, ORDERS)
  const searches = await searchMix(database.url, pharmacy.id, SEARCHES * (2 * ROUNDS + 1))
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-search-'))
  const served = await startProcess(['dist/server/main.js'], 3906, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  try {
    const headers = await signInTo(served.url, pharmacy.email)
    let found = 0
    const timed = async (path: string, init: RequestInit = {}) => {
      const begun = performance.now()
      const reply = await fetch(`${served.url}/api/${path}`, { ...init, headers })
      const answer: unknown = await reply.json()
      const took = performance.now() - begun
      if (OrdersPage.parse(answer).records.length > 0) found += 1
      return took
    }
    const page: Call = () => timed('airtable-orders?page=1')
    const search: Call = () =>
      timed('orders/search', { method: 'POST', body: JSON.stringify(searches.pop()) })

    await times([page, search], SEARCHES, 1)
    found = 0
    for (const [who, atOnce, goal] of [
      ['by one person', 1, GOAL],
      ['by four at once', 4, undefined],
    ] as const) {
      const ratios: number[] = []
      const lines: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const [pages = [], searched = []] = await times([page, search], SEARCHES, atOnce)
        ratios.push(slowest(searched) / slowest(pages))
        lines.push(`${slowest(searched).toFixed(1)}/${slowest(pages).toFixed(1)}`)
      }
      const ratio = median(ratios)
      if (goal !== undefined && ratio > goal) missed.push(`search ${who}`)
      say(
        `Search of ${ORDERS} orders ${who}: p99 against that of the first page, in ms: ` +
          `${lines.join(', ')}: ratio ${ratio.toFixed(2)} ` +
          `(${goal === undefined ? 'no goal' : `goal: at most ${goal}`})`,
      )
    }
    // Most searches are of orders that are there, or something is wrong with them.
    const share = (found / (SEARCHES * ROUNDS * 2) - 1) * 100
    if (share < 80) missed.push('searches find what is there')
    say(`  ${share.toFixed(0)} % of the searches found something`)
  } finally {
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Each of the calls so many times, in turn, so that what else the machine does hurts all alike. */
async function times(calls: Call[], count: number, atOnce: number): Promise<number[][]> {
  const taken: number[][] = calls.map(() => [])
  let left = count
  const person = async () => {
    while (left > 0) {
      left -= 1
      for (const [index, call] of calls.entries()) taken[index]?.push(await call())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, person))
  return taken
}

/** The time within which all but a hundredth were. */
function slowest(taken: number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? 0
}
