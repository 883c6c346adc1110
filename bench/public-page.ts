import { setTimeout as pause } from 'node:timers/promises'
import { publicOffersPath } from '@bancone/contract/pages'
import type { Bench } from './bench.ts'
import { compareBytes } from './compare.ts'
import { median, read, timed } from './load.ts'

const OFFERS = 30
const CHANGES = 20
const CHANGE_GOAL_MS = 250
const BYTES_GOAL = 0.9

/** What customers wait for: a page that is in memory, and the next one after a change, whichever process they reach. */
export async function benchPublicPage(bench: Bench): Promise<void> {
  const path = publicOffersPath(await makeOffers(bench))
  const ours = await bench.serve({ LOG_LEVEL: 'info' })
  const other = await bench.serve({ LOG_LEVEL: 'info' })
  await benchChanges(bench, [ours.url + path, other.url + path])
  await compareBytes(bench, {
    what: `Public page of ${OFFERS} offers from memory`,
    ours,
    path,
    headers: { 'accept-encoding': 'br' },
    goals: { ratio: BYTES_GOAL },
  })
}

/** @returns the code of the pharmacy that shows them */
async function makeOffers({ pool, database }: Bench): Promise<string> {
  const id = database.pharmacies.at(-5)?.id
  const { rows } = await pool.query<{ code: string }>(
    `update pharmacies set features_enabled = '["offers"]', max_offers = $2, name = 'Farmacia San Marco',
       phone = '041 123 4567', address = 'Via Giuseppe Garibaldi 12, 30124 Venezia VE'
     where id = $1 returning pharmacy_id as code`,
    [id, OFFERS],
  )
  await pool.query(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, description, category, list_price,
       prior_price, offer_price, start_date, image_url)
     select id, pharmacy_id, 'Crema idratante n. ' || n, 'Per pelli secche e sensibili, con aloe e vitamina E. ' ||
       'Si assorbe in pochi minuti, senza profumo: va bene per tutta la famiglia. Tubo da ' || 50 + n || ' ml.',
       'Cosmetici', 1000 + 10 * n, 1000 + 10 * n, 800 + 9 * n, current_date - 5, '/product-placeholder.svg'
     from pharmacies, generate_series(1, $2::int) n where id = $1`,
    [id, OFFERS],
  )
  return rows[0]?.code ?? ''
}

/** From the commit of a change until every process has sent the page with it. */
async function benchChanges({ pool, database, say, missed }: Bench, pages: string[]) {
  const taken: number[] = []
  for (let change = 0; change <= CHANGES; change += 1) {
    // These requests get the old page from memory.
    await Promise.all(pages.map((page) => read(page)))
    const name = `Dentifricio alla menta ${change}`
    await pool.query(
      `update product_offers set product_name = $2
       where id = (select id from product_offers where pharmacy_id = $1 order by created_at, id limit 1)`,
      [database.pharmacies.at(-5)?.id, name],
    )
    const ms = await timed(() => Promise.all(pages.map((page) => shows(page, name))))
    // The first page that a process draws brings along all that draws it.
    if (change > 0) taken.push(ms)
  }
  const worst = Math.max(...taken)
  if (worst > CHANGE_GOAL_MS) missed.push('public pages after a change')
  say(
    `A changed offer on the pages of ${pages.length} processes: ${median(taken).toFixed(0)} ms in the median, ` +
      `${worst.toFixed(0)} ms at worst of ${CHANGES} (goal: at most ${CHANGE_GOAL_MS})`,
  )
}

async function shows(page: string, name: string): Promise<void> {
  const given = performance.now() + 10_000
  while (!(await read(page)).includes(name)) {
    if (performance.now() > given) throw new Error(`${page} does not show ${name}`)
    await pause(2)
  }
}
