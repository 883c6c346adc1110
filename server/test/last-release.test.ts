import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate, migrationNames } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { emptyDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

const PHARMACY = '11111111-1111-4111-8111-111111111111'
const FILE = `${PHARMACY}/${'a'.repeat(64)}`

/** The tables whose rows had no pharmacy in the last release. */
const filled = [
  'priority_links',
  'priority_events',
  'migration_records',
  'migration_items',
  'order_image_files',
]

/** What servers of the last release insert, and conflict with, given the ids of a visit, a run, an order and a person. */
const statements = [
  'insert into priority_links (visit_id, token_hash) values ($1, $5)',
  "insert into priority_events (visit_id, to_status, source) values ($1, 'called', 'person')",
  "select priority_take_back($1, 'person', null)",
  "insert into migration_records (run_id, record_id) values ($2, encode($5, 'hex')) on conflict do nothing",
  `insert into migration_items (run_id, kind, record_id, reason) values ($2, 'refused', 'rec', 'cells')
   on conflict (run_id, kind, record_id) do update set resolved_at = null`,
  `insert into order_changes (order_id, pharmacy_id, status, stored_status, stored_last)
   values ($3, '${PHARMACY}', 'Annullato', 'In attesa', now()) on conflict (order_id) do update set status = excluded.status`,
  `insert into order_image_files (key) values ('${FILE}') on conflict (key) do update set put_at = now()`,
  `insert into order_images (order_id, pharmacy_id, ref, key) values ($3, '${PHARMACY}', 'ref', '${FILE}')
   on conflict (order_id) do update set ref = excluded.ref`,
  `insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id) values ($3, '${PHARMACY}', $4)
   on conflict (order_id) do update set contact_id = excluded.contact_id`,
  `insert into whatsapp_outbox (id, pharmacy_id, order_id, contact_id, kind, due_at, expires_at)
   values ($4, '${PHARMACY}', $3, $4, 'reply', now(), now()) on conflict (id) do nothing`,
]

it('works on the tables of this release, whose rows of before name their pharmacies', async () => {
  const { url } = await emptyDatabase()
  const before = (await migrationNames()).filter((name) => name < '0035')
  const migrateTo = (only?: readonly string[]) =>
    withStartLock(url, (client) => migrate(client, silentLog, only ? { only } : {}))
  await migrateTo(before)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`
    set session_replication_role = replica;
    insert into pharmacies (id, pharmacy_id, name, email) values ('${PHARMACY}', 'SANMARCO', 'San Marco', 'a@example.com');
    set session_replication_role = origin`)
  const { rows } = await client.query<Record<'visit' | 'run' | 'id' | 'person', string>>(
    `with visit as (
       insert into priority_access_sessions (pharmacy_id, airtable_order_id, expires_at)
       values ('${PHARMACY}', 'rec', now() + interval '1 day') returning id
     ), run as (
       insert into migration_runs (pharmacy_id, base_id, table_id, mode)
       values ('${PHARMACY}', 'app', 'tbl', 'full') returning id
     ), one as (
       insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last)
       values ('${PHARMACY}', 'rec', now(), now()) returning id
     ), person as (
       insert into whatsapp_contacts (pharmacy_id, user_id) values ('${PHARMACY}', 'IT.1') returning id
     ) select visit.id as visit, run.id as run, one.id, person.id as person from visit, run, one, person`,
  )
  const [ids] = rows
  const work = async () => {
    for (const text of statements) {
      const given = [ids?.visit, ids?.run, ids?.id, ids?.person, randomBytes(32)]
      // Each statement has the parameters that it names, in the same places.
      const named = given.map((_value, index) => text.includes(`$${index + 1}`))
      const renumbered = text.replace(
        /\$(\d)/g,
        (_match, place: string) => `$${named.slice(0, Number(place)).filter(Boolean).length}`,
      )
      await client.query(
        renumbered,
        given.filter((_value, index) => named[index]),
      )
    }
  }
  await work()
  await migrateTo()
  await work()
  for (const table of filled) {
    const { rows: found } = await client.query(`select distinct pharmacy_id as id from ${table}`)
    expect([table, found]).toEqual([table, [{ id: PHARMACY }]])
  }
})
