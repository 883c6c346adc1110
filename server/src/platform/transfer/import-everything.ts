import type pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { withClient } from '../../database/client.ts'
import { appliedMigrations, migrate } from '../../database/migrate.ts'
import { withStartLock } from '../../database/start-lock.ts'
import type { Log } from '../../ports/log.ts'
import type { BackupStore } from '../backups/backup-store.ts'
import { prepareJobs } from '../jobs.ts'
import { columnList, createPartitions, readCatalogue, switchTriggers } from './catalogue.ts'
import type { TransferOptions } from './export.ts'
import { requireKnownTables } from './own-rows.ts'
import { copyIn, TEXT_SETTINGS } from './table-copy.ts'
import { JOBS, requireSameVersion, type TransferManifest, tableName } from './transfer-manifest.ts'

type Import = {
  /** The address of the database for the account that owns it. */
  url: string
  manifest: TransferManifest
  log: Log
  /** Stores the files around `work`, which commits. */
  withFiles(work: () => Promise<void>): Promise<void>
}

/**
 * Imports an export of everything into an empty database. All rows are imported in one transaction.
 *
 * @throws StartupError when the database is not empty, or the export of another version; BackupError `damaged`
 */
export async function importEverything(
  store: BackupStore,
  { url, manifest, log, withFiles }: Import,
  options: TransferOptions = {},
): Promise<void> {
  await withStartLock(url, async (owner) => {
    await migrate(owner, log)
    await requireEmpty(owner)
    requireSameVersion(manifest, await appliedMigrations(owner))
    await prepareJobs(url, log)
    // A connection of its own, because that of a copy which was aborted cannot be used any more.
    await withClient(url, async (client) => {
      requireKnownTables(manifest, await readCatalogue(client))
      await client.query(`begin; ${TEXT_SETTINGS}`)
      await load(client, store, manifest, options)
      await withFiles(async () => {
        options.signal?.throwIfAborted()
        options.onCommit?.()
        await client.query('commit')
      })
    })
    // Without statistics the first statements would be planned as for empty tables.
    await owner.query('set statement_timeout = 0; analyze')
  })
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ filled: boolean }>(
    `select exists (select from auth_users) or exists (select from pharmacies)
       or exists (select from audit_events) as filled`,
  )
  if (!rows[0]?.filled) return
  throw new StartupError(
    'The database is not empty: an import of everything needs a new one, and changes nothing that exists.',
  )
}

async function load(
  client: pg.Client,
  store: BackupStore,
  { tables, sequences, partitions, jobs }: TransferManifest,
  { signal, onProgress }: TransferOptions,
): Promise<void> {
  const names = tables.map(({ name }) => name)
  await createPartitions(client, partitions)
  await switchTriggers(client, names, 'disable')
  // The schema has inserted a few rows, which the export has as well.
  await client.query(`truncate ${columnList(client, names)} cascade`)
  for (const [done, { name, columns, ...content }] of tables.entries()) {
    onProgress?.({ step: 'tables', name, done, total: tables.length })
    const into = `${client.escapeIdentifier(name)} (${columnList(client, columns)})`
    await copyIn(client, store, tableName(name), content, into, { signal })
  }
  for (const [name, last] of Object.entries(sequences)) {
    await client.query('select setval($1, $2)', [client.escapeIdentifier(name), last])
  }
  if (jobs) {
    await client.query(`create temporary table carried_jobs (
      identifier text, payload json, queue_name text, run_at timestamptz, max_attempts integer, key text,
      priority integer, flags jsonb) on commit drop`)
    await copyIn(client, store, JOBS, jobs, 'carried_jobs', { signal })
    await client.query(`
      select graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, key, priority,
        (select array_agg(flag) from jsonb_object_keys(flags) flag)) from carried_jobs`)
  }
  await switchTriggers(client, names, 'enable')
}
