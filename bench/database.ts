import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { hashPassword } from '../server/src/platform/auth/passwords.ts'
import { createLogger } from '../server/src/start/logger.ts'
import { prepareDatabase } from '../server/src/start/prepare-database.ts'

export const password = 'Bancone-bench-1'

export const orderText =
  'Buongiorno, avrei bisogno di Tachipirina 1000 e di uno sciroppo per la tosse, grazie'
export const PHARMACIES = 100
export const ORDERS_EACH = 2_000

/** So many pharmacies keep their orders in Airtable: what those cost besides is in the measure. */
export const BENCH_TABLE = 'tblBench000000001'
const ON_AIRTABLE = 10

export type BenchPharmacy = { id: string; email: string; baseId: string | null }

export type BenchDatabase = {
  url: string
  pharmacies: BenchPharmacy[]
  /** The pharmacies whose orders are in the database alone, and those on Airtable. */
  own: BenchPharmacy[]
  onAirtable: BenchPharmacy[]
  /** Records that every pharmacy has whose orders are in the database alone. */
  recordIds: string[]
  close(): Promise<void>
}

/**
 * A real PostgreSQL in a folder of its own, with 2,000 orders of each of 100 pharmacies but for those on
 * Airtable, whose copies are made from there.
 */
export async function benchDatabase(): Promise<BenchDatabase> {
  const log = createLogger('warn')
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-'))
  const embedded = await startEmbedded({
    dataDir,
    log,
    onLost: (error) => {
      throw error
    },
  })
  await prepareDatabase(embedded.url, log, async () => {})
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  await client.query(
    `insert into auth_users (email, password_hash, email_confirmed_at)
     select 'bench-' || n || '@example.it', $1, now() from generate_series(1, $2::int) n`,
    [await hashPassword(password), PHARMACIES],
  )
  await client.query(
    `insert into pharmacies (id, pharmacy_id, name, email, use_supabase_orders, airtable_base_id,
       airtable_table_id)
     select id, 'PHARM-' || n, 'Farmacia', email, n > $1,
       case when n <= $1 then 'appBench' || lpad(n::text, 9, '0') end,
       case when n <= $1 then '${BENCH_TABLE}' end
     from (select id, email, row_number() over (order by email) n from auth_users) users`,
    [ON_AIRTABLE],
  )
  await client.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name,
       customer_phone, order_details, address, status, airtable_created, airtable_last, seen_at)
     select p.id, 'rec' || lpad(n::text, 14, '0'), n::text, 'Giulia Bianchi', '+39 333 123 4567',
       '${orderText}', 'Via Giuseppe Garibaldi 12, 30124 Venezia VE',
       (array['In attesa', 'Confermato', 'Prenotato in Giornata', 'Prenotato Domani', 'Annullato'])
         [1 + n % 5],
       now() - make_interval(mins => $1 - n), now(), now()
     from generate_series(1, $1::int) n, pharmacies p where p.use_supabase_orders`,
    [ORDERS_EACH],
  )
  await client.query('vacuum analyze')
  const { rows } = await client.query<BenchPharmacy>(
    'select id, email, airtable_base_id as "baseId" from pharmacies order by email',
  )
  await client.end()
  const recordIds = Array.from({ length: 500 }, (_, n) => `rec${String(n + 1).padStart(14, '0')}`)
  return {
    url: embedded.url,
    pharmacies: rows,
    own: rows.filter(({ baseId }) => baseId === null),
    onAirtable: rows.filter(({ baseId }) => baseId !== null),
    recordIds,
    async close() {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
