import { OrdersPage } from '@bancone/contract/orders'
import type { Bench } from './bench.ts'
import { median, quantile, read, timed } from './load.ts'
import { prepareOrders, searchesOf } from './search-orders.ts'
import { signInTo } from './server-process.ts'

const ORDERS = 1_000_000
const ROUNDS = 3
const SEARCHES = 1_000
const GOAL = 3

/**
 * How long a search among a million orders takes, against the first page of the same pharmacy: the slowest hundredth of
 * each. No search is made twice, so that none is answered from memory.
 */
export async function benchSearch({ database, pool, serve, say, missed }: Bench): Promise<void> {
  const pharmacy = database.pharmacies.at(-3)
  if (!pharmacy) throw new Error('there is no pharmacy')
  say(`Preparing ${ORDERS} orders of one pharmacy…`)
  await prepareOrders(database.url, pharmacy.id, ORDERS)
  const searches = await searchesOf(pool, pharmacy.id, SEARCHES * (ROUNDS + 1))
  const { url } = await serve()
  const headers = await signInTo(url, pharmacy.email)
  const ratios: number[] = []
  let found = 0
  // The first round is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const taken: Record<'pages' | 'searches', number[]> = { pages: [], searches: [] }
    found = 0
    // In turn, so that what else the machine does hurts both alike.
    for (const body of searches.splice(0, SEARCHES)) {
      taken.pages.push(await timed(() => read(`${url}/api/airtable-orders?page=1`, { headers })))
      let text = ''
      const search = async () => {
        text = await read(`${url}/api/orders/search`, { method: 'POST', headers, body })
      }
      taken.searches.push(await timed(search))
      if (OrdersPage.parse(JSON.parse(text)).records.length > 0) found += 1
    }
    if (round > 0) ratios.push(quantile(taken.searches, 0.99) / quantile(taken.pages, 0.99))
  }
  const ratio = median(ratios)
  if (ratio > GOAL) missed.push('search')
  // Most searches are of orders that are there, or something is wrong with them.
  if (found < SEARCHES * 0.8) missed.push('searches find what is there')
  say(
    `Search of ${ORDERS} orders, p99 against that of the first page: ` +
      `${ratios.map((one) => one.toFixed(2)).join(', ')}: ratio ${ratio.toFixed(2)} (goal: at most ${GOAL}); ` +
      `${((found / SEARCHES) * 100).toFixed(0)} % found something`,
  )
}
