import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate, migrationNames } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { emptyDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

const PHARMACY = '11111111-1111-4111-8111-111111111111'

/** Rows of the tables that did not name the pharmacy before migration 0035, of the visit or the run of the test. */
const earlierRows = {
  'priority_links (visit_id, token_hash)': "select visit.id, sha256('link') from visit",
  'priority_events (visit_id, to_status, source)': "select visit.id, 'called', 'person' from visit",
  'migration_records (run_id, record_id)': "select run.id, 'rec' from run",
  'migration_items (run_id, kind, record_id, reason)':
    "select run.id, 'refused', 'rec', 'cells' from run",
  'order_image_files (key)': `select '${PHARMACY}/${'a'.repeat(64)}'`,
}

it('gives rows that did not name their pharmacy that of what they follow', async () => {
  const { url } = await emptyDatabase()
  const migrateTo = (only?: readonly string[]) =>
    withStartLock(url, (client) => migrate(client, silentLog, only ? { only } : {}))
  await migrateTo((await migrationNames()).filter((name) => name < '0035'))
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`
    set session_replication_role = replica;
    insert into pharmacies (id, pharmacy_id, name, email) values ('${PHARMACY}', 'SANMARCO', 'San Marco', 'a@example.com');
    set session_replication_role = origin;
    create temporary table visit as with added as (
      insert into priority_access_sessions (pharmacy_id, airtable_order_id, expires_at)
      values ('${PHARMACY}', 'rec', now() + interval '1 day') returning id
    ) select id from added;
    create temporary table run as with added as (
      insert into migration_runs (pharmacy_id, base_id, table_id, mode)
      values ('${PHARMACY}', 'app', 'tbl', 'full') returning id
    ) select id from added`)
  for (const [table, text] of Object.entries(earlierRows)) {
    await client.query(`insert into ${table} ${text}`)
  }
  await migrateTo()
  for (const [table] of Object.keys(earlierRows).map((into) => into.split(' '))) {
    const { rows } = await client.query(`select distinct pharmacy_id as id from ${table}`)
    expect([table, rows]).toEqual([table, [{ id: PHARMACY }]])
  }
})
