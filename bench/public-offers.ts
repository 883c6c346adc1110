import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { publicOffersPath } from '@bancone/contract/pages'
import pg from 'pg'
import { z } from 'zod'
import { compare, type Report, sayComparison } from './compare.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { type LoadRequest, median } from './load.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

const OFFERS = 30
const CHANGES = 20
const CHANGE_GOAL_MS = 250
const DATABASE_GOAL = 8
const BYTES_GOAL = 0.9
/** As every browser asks, and WhatsApp. */
const ENCODING = 'br'

const Read = z.object({ offers: z.array(z.unknown()) })

/** What customers wait for: a page that is in memory, and the next one after a change, whichever process they reach. */
export async function benchPublicOffers(database: BenchDatabase, report: Report): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const folder = await mkdtemp(join(tmpdir(), 'bancone-bench-offers-'))
  const servers: ServerProcess[] = []
  try {
    const code = await makeOffers(client, database)
    const path = publicOffersPath(code)
    for (const port of [3913, 3914]) {
      const env = { DATABASE_URL: database.url, DATA_DIR: folder, APP_SECRET: appSecret }
      servers.push(await startProcess(['dist/server/main.js'], port, { ...env, LOG_LEVEL: 'info' }))
    }
    const [served] = servers
    if (!served) throw new Error('there is no server')
    await benchChanges(
      client,
      code,
      servers.map(({ url }) => url + path),
      report,
    )
    await benchAgainstDatabase(database.url, served, path, report)
    await benchAgainstBytes(served, path, join(folder, 'page'), report)
  } finally {
    for (const server of servers) await server.stop()
    await client.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** All pharmacies have as many. @returns the code of one that shows them */
async function makeOffers(client: pg.Client, { pharmacies }: BenchDatabase): Promise<string> {
  const { rows } = await client.query<{ code: string }>(
    `update pharmacies set features_enabled = '["offers"]', max_offers = $2, name = 'Farmacia San Marco',
       phone = '041 123 4567', address = 'Via Giuseppe Garibaldi 12, 30124 Venezia VE'
     where id = $1 returning pharmacy_id as code`,
    [pharmacies.at(-5)?.id, OFFERS],
  )
  const code = rows[0]?.code
  if (code === undefined) throw new Error('there is no pharmacy')
  await client.query(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, description, category, list_price,
       prior_price, offer_price, start_date, image_url)
     select id, pharmacy_id, 'Crema idratante n. ' || n, 'Per pelli secche e sensibili, con aloe e vitamina E. ' ||
       'Si assorbe in pochi minuti, senza profumo: va bene per tutta la famiglia. Tubo da ' || 50 + n || ' ml.',
       'Cosmetici', 1000 + 10 * n, 1000 + 10 * n, 800 + 9 * n, current_date - 5, '/product-placeholder.svg'
     from pharmacies, generate_series(1, $1::int) n`,
    [OFFERS],
  )
  await client.query('vacuum analyze product_offers')
  return code
}

/** From the commit of a change until every process has sent the page with it. */
async function benchChanges(
  client: pg.Client,
  code: string,
  pages: string[],
  { say, missed }: Report,
) {
  const taken: number[] = []
  for (let change = 0; change <= CHANGES; change += 1) {
    // These requests get the old page from memory.
    await Promise.all(pages.map(text))
    const name = `Dentifricio alla menta ${change}`
    await client.query(
      `update product_offers set product_name = $2
       where id = (select id from product_offers where pharmacy_code = $1 order by created_at, id limit 1)`,
      [code, name],
    )
    const committed = performance.now()
    await Promise.all(pages.map((page) => shows(page, name)))
    // The first page that a process draws brings along all that draws it.
    if (change > 0) taken.push(performance.now() - committed)
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
  while (!(await text(page)).includes(name)) {
    if (performance.now() > given) throw new Error(`${page} does not show ${name}`)
    await pause(2)
  }
}

async function text(page: string): Promise<string> {
  const reply = await fetch(page)
  if (!reply.ok) throw new Error(`${page} answered ${reply.status}`)
  return reply.text()
}

async function benchAgainstDatabase(
  databaseUrl: string,
  served: ServerProcess,
  path: string,
  report: Report,
) {
  const bare = await startProcess(['--import', 'tsx', 'bench/bare-offers.ts'], 3915, {
    DATABASE_URL: databaseUrl,
  })
  try {
    const { offers } = Read.parse(JSON.parse(await text(bare.url + path)))
    if (offers.length !== OFFERS) throw new Error('the bare server does not read the offers')
    const against = `a bare node:http + pg that reads ${OFFERS} offers and answers JSON`
    await show(against, DATABASE_GOAL, { served, bare, path }, report)
  } finally {
    await bare.stop()
  }
}

async function benchAgainstBytes(
  served: ServerProcess,
  path: string,
  file: string,
  report: Report,
) {
  await writeFile(file, await bytes(served.url + path))
  const bare = await startProcess(['--import', 'tsx', 'bench/bare-page.ts'], 3916, {
    PAGE: file,
    ENCODING,
  })
  try {
    await show('a bare node:http with the same bytes', BYTES_GOAL, { served, bare, path }, report)
  } finally {
    await bare.stop()
  }
}

/** The page as it is sent: `fetch` would unpack it. */
function bytes(page: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const asking = request(page, { headers: { 'accept-encoding': ENCODING } }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => {
        if (reply.statusCode === 200 && reply.headers['content-encoding'] === ENCODING) {
          resolve(Buffer.concat(parts))
        } else reject(new Error(`${page} answered ${reply.statusCode}`))
      })
    })
    asking.on('error', reject).end()
  })
}

async function show(
  against: string,
  goal: number,
  { served, bare, path }: { served: ServerProcess; bare: ServerProcess; path: string },
  report: Report,
) {
  const requests: LoadRequest[] = [{ path, headers: { 'accept-encoding': ENCODING } }]
  const what = `Public page of ${OFFERS} offers from memory`
  const compared = await compare({ server: served, requests }, { server: bare, requests })
  sayComparison(report, what, against, { ratio: goal }, compared)
}
