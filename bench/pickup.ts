import type { Bench } from './bench.ts'
import { orderText } from './database.ts'
import { quantile, read, timed } from './load.ts'
import { signInTo } from './server-process.ts'

const ORDERS = 10_000
const PAGES = 10
const ROUNDS = 400
const GOAL = 1.3

/**
 * ready_at, collected_at, put_back_at and kept_until of order `n`, made at `at`, by what its pharmacy does. `marks`: nine
 * of ten orders are ready, and most of those collected; some are put back, some kept, and 520 are to be collected.
 * `neglect`: no order is ever marked as collected, and 9,000 are to be collected.
 */
const moments = {
  plain: 'null, null, null, null',
  marks: `
    case when n % 10 > 0 then at + interval '2 hours' end,
    case when n % 10 > 0 and n % 25 > 1 and (n < 9000 or n % 3 > 0) then at + interval '9 hours' end,
    case when n % 10 > 0 and n % 25 = 1 and n < 9000 then at + interval '6 days' end,
    case when n % 40 = 3 then current_date + 5 end`,
  neglect: `case when n % 10 > 0 then at + interval '2 hours' end, null, null, null`,
}
type Marks = keyof typeof moments

/**
 * What the moments of being ready and collected cost a page of orders: pages of pharmacies with as many orders each, and
 * pages of the orders to be collected. Between two readings the version of the orders rises, so that each page and its
 * counts come from the database.
 */
export async function benchPickup({ database, pool, serve, say, missed }: Bench): Promise<void> {
  say(`Preparing ${ORDERS} orders of three pharmacies…`)
  const { url } = await serve()
  const pages: Record<string, (page: number) => Promise<number>> = {}
  for (const [place, marks] of (['plain', 'marks', 'neglect'] as const).entries()) {
    const pharmacy = database.own[place]
    if (!pharmacy) throw new Error('there is no pharmacy')
    const { id, email } = pharmacy
    await pool.query(`delete from pharmacy_orders where pharmacy_id = $1`, [id])
    await pool.query(insertion(marks), [id, ORDERS, orderText])
    const headers = await signInTo(url, email)
    const pageOf = (filter: string) => async (page: number) => {
      await pool.query(
        'update pharmacy_order_counts set version = version + 1 where pharmacy_id = $1',
        [id],
      )
      return timed(() => read(`${url}/api/airtable-orders?page=${page}${filter}`, { headers }))
    }
    pages[marks] = pageOf('')
    if (marks === 'plain') continue
    pages[`${marks} ritiro=si`] = pageOf('&ritiro=si')
    pages[`${marks} ritiro=scaduti`] = pageOf('&ritiro=scaduti')
  }
  await pool.query('vacuum analyze pharmacy_orders')

  const taken = Object.fromEntries(Object.keys(pages).map((what) => [what, [] as number[]]))
  const kinds = Object.entries(pages)
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turn, each of them first once.
    const first = round % kinds.length
    for (const [what, readPage] of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const time = await readPage(1 + (round % PAGES))
      // The first of each page are not counted.
      if (round >= PAGES) taken[what]?.push(time)
    }
  }
  // Other work of the machine makes a page slower, never faster.
  const quarter = (what: string) => quantile(taken[what] ?? [], 0.25)
  for (const what of Object.keys(pages)) {
    if (what === 'plain') continue
    const to = what.startsWith('marks ') ? 'marks' : 'plain'
    const ratio = quarter(what) / quarter(to)
    if (ratio > GOAL) missed.push(`pickup: ${what}`)
    say(
      `Orders page ${what} against ${to}, fastest quarter: ${quarter(what).toFixed(2)} against ` +
        `${quarter(to).toFixed(2)} ms: ratio ${ratio.toFixed(2)} (goal: at most ${GOAL})`,
    )
  }
}

const insertion = (marks: Marks) => `
  insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name, customer_phone,
    order_details, address, status, airtable_created, airtable_last, seen_at, ready_at, collected_at, put_back_at,
    kept_until)
  select $1, 'recPickup' || n, n::text, 'Giulia Bianchi', '+39 333 123 4567', $3,
    'Via Giuseppe Garibaldi 12, 30124 Venezia VE',
    (array['In attesa', 'Confermato', 'Prenotato in Giornata', 'Prenotato Domani', 'Confermato'])[1 + n % 5],
    at, now(), now(), ${moments[marks]}
  from generate_series(1, $2::int) n,
    lateral (select now() - ($2 - n) * interval '10 minutes' as at) made`
