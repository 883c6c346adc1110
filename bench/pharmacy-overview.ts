import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPharmacyOverview } from '@bancone/contract/pharmacy-overview'
import pg from 'pg'
import { appSecret, type BenchDatabase } from './database.ts'
import { median } from './load.ts'
import { signInTo } from './many-orders.ts'
import { startProcess } from './server-process.ts'

const PHARMACIES = 1_000

/** The orders of each pharmacy, one every hour: 168 of them are of the last seven days. */
const ORDERS_EACH = 500

const GOAL_MS = 200
const ROUNDS = 30

/** What the overview of 1,000 pharmacies costs, against a bare query of their rows. */
export async function benchPharmacyOverview(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const email = await preparePharmacies(database.url)
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-overview-'))
  const served = await startProcess(['dist/server/main.js'], 3914, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
  })
  const bare = new pg.Pool({ connectionString: database.url, max: 1 })
  try {
    const headers = await signInTo(served.url, email)
    let listed = 0
    async function overview() {
      const reply = await fetch(`${served.url}/api/admin/pharmacies/overview`, { headers })
      const body: unknown = await reply.json()
      listed = listPharmacyOverview.response.parse(body).pharmacies.length
    }
    const rows = () => bare.query('select * from pharmacies order by lower(name), id')
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = -3; round < ROUNDS; round += 1) {
      const [a, b] = [await timed(overview), await timed(rows)]
      if (round < 0) continue
      ours.push(a)
      theirs.push(b)
    }
    const ms = median(ours)
    if (listed < PHARMACIES || ms >= GOAL_MS) missed.push('overview of the pharmacies')
    say(
      `Overview of ${listed} pharmacies: ${ms.toFixed(0)} ms (goal: below ${GOAL_MS}), ` +
        `${(ms / median(theirs)).toFixed(1)} times a bare pg query of their rows`,
    )
  } finally {
    await bare.end()
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Adds pharmacies up to their number, with orders, offers, pictures and sessions. @returns an administrator's address */
async function preparePharmacies(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // The search index and the counts of so many orders would take minutes, and the overview does not read them.
    await client.query("set session_replication_role = 'replica'")
    await client.query(
      `insert into auth_users (email, last_sign_in_at)
       select 'overview-' || n || '@example.it', now() - make_interval(hours => n % 900)
       from generate_series(1, $1 - (select count(*)::int from pharmacies)) n`,
      [PHARMACIES],
    )
    const { rows } = await client.query<{ id: string }>(
      `insert into pharmacies (id, pharmacy_id, name, email, airtable_base_id, airtable_table_id)
       select id, 'OVER-' || row_number() over (order by id), 'Farmacia', email, 'appOverview', 'tblOverview'
       from auth_users where email like 'overview-%' returning id`,
    )
    const ids = [rows.map(({ id }) => id)]
    await client.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last, seen_at)
       select id, 'rec' || n, now() - make_interval(hours => n), now(), now()
       from unnest($1::uuid[]) id, generate_series(1, ${ORDERS_EACH}) n`,
      ids,
    )
    await client.query(
      `insert into order_copies (pharmacy_id, base_id, table_id, read_at, failed_at, last_error)
       select id, 'appOverview', 'tblOverview', now(), now(), case when n % 50 = 0 then 'denied' end
       from unnest($1::uuid[]) with ordinality as of (id, n)`,
      ids,
    )
    await client.query(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
         image_url, start_date)
       select id, 'OVER', 'Offerta', 'Altro', 20, 10, '/placeholder.svg', current_date
       from unnest($1::uuid[]) id, generate_series(1, 20) n`,
      ids,
    )
    await client.query(
      `insert into images (public_id, pharmacy_id, width, height, format, bytes, source)
       select id || '-' || n, id, 800, 800, 'webp', 90000, 'upload'
       from unnest($1::uuid[]) id, generate_series(1, 20) n`,
      ids,
    )
    await client.query(
      `insert into auth_sessions (user_id) select id from unnest($1::uuid[]) id, generate_series(1, 3) n`,
      ids,
    )
    const administrator = 'bench-1@example.it'
    await client.query(
      'insert into admin_users (user_id) select id from auth_users where email = $1 on conflict do nothing',
      [administrator],
    )
    await client.query('vacuum analyze')
    return administrator
  } finally {
    await client.end()
  }
}
