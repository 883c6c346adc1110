import type pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { withClient } from '../../database/client.ts'
import { appliedMigrations } from '../../database/migrate.ts'
import type { FileStore } from '../../ports/file-store.ts'
import type { BackupStore } from '../backups/backup-store.ts'
import { storedFileKeys } from '../backups/database-facts.ts'
import {
  type CatalogueTable,
  columnList,
  readCatalogue,
  readPartitions,
  readSequences,
} from './catalogue.ts'
import { type ChangeRows, copyOut, TEXT_SETTINGS } from './table-copy.ts'
import { JOBS, MANIFEST, type TransferManifest, tableName } from './transfer-manifest.ts'
import { exportFiles, type FileKey } from './transferred-files.ts'

/** Rows of a table that are exported. */
export type ExportedTable = {
  name: string
  /** An SQL condition; undefined: all rows. */
  where?: string
  /** SQL expressions for columns whose value is another one in the export. */
  values?: Record<string, string>
  change?(columns: readonly string[]): ChangeRows | undefined
}

export type ExportSource = {
  /** The address of the database for the account that owns it. */
  url: string
  tables: readonly ExportedTable[]
  /** Null: everything. */
  pharmacy: TransferManifest['pharmacy']
  /** The sequences whose values are exported; undefined: all. */
  sequences?: readonly string[]
  secret: string
  stores: Record<'images' | 'files', Pick<FileStore, 'open'>>
  /** Runs when all but the manifest is stored. */
  beforeEnd?(): Promise<void>
}

export type TransferProgress = {
  step: 'tables' | 'files'
  name?: string
  done: number
  total: number
}

export type TransferOptions = {
  signal?: AbortSignal
  onProgress?(progress: TransferProgress): void
  /** Before the rows of an import of everything are committed: from then on they may be there. */
  onCommit?(): void
}

/** Where the parts of an export are. */
const PREFIXES = ['tables/', 'files/', 'export/', 'base/', 'manifests/']

/** Jobs with their payloads, which have no function of the library. Those given up are left out. */
const PENDING_JOBS = `
  select task.identifier, job.payload, queue.queue_name, job.run_at, job.max_attempts, job.key, job.priority, job.flags
  from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
  where job.attempts < job.max_attempts order by job.id`

/**
 * Exports rows as they are at one moment, and the files that they refer to. An export that fails is removed; one that was
 * killed has no manifest, and is refused by the import.
 *
 * @throws StartupError when the place has an export or back-ups; BackupError `target`
 */
export async function exportTo(
  store: BackupStore,
  source: ExportSource,
  options: TransferOptions = {},
): Promise<TransferManifest> {
  for (const prefix of PREFIXES) {
    if ((await store.list(prefix)).size === 0) continue
    throw new StartupError('There is an export or a back-up in this place: choose a new one.')
  }
  try {
    return await write(store, source, options)
  } catch (error) {
    for (const prefix of PREFIXES) {
      for (const stored of (await store.list(prefix)).values()) await store.remove(stored)
    }
    throw error
  }
}

async function write(store: BackupStore, source: ExportSource, options: TransferOptions) {
  const { url, stores, pharmacy, secret } = source
  const { signal, onProgress } = options
  const exportedAt = new Date().toISOString()
  // A connection of its own, because that of a copy which was aborted cannot be used any more.
  const { keys, ...database } = await withClient(url, async (client) => {
    await client.query(`begin isolation level repeatable read read only; ${TEXT_SETTINGS}`)
    return writeDatabase(client, store, source, options)
  })
  const files = await exportFiles(store, stores, keys, {
    signal,
    onFile: (done) => onProgress?.({ step: 'files', done, total: keys.length }),
  })
  signal?.throwIfAborted()
  await source.beforeEnd?.()
  const manifest: TransferManifest = {
    version: 2,
    exportedAt,
    pharmacy,
    ...database,
    files,
    secret,
  }
  await store.write(MANIFEST, [Buffer.from(JSON.stringify(manifest))])
  return manifest
}

async function writeDatabase(
  client: pg.Client,
  store: BackupStore,
  { tables, pharmacy, sequences }: ExportSource,
  { signal, onProgress }: TransferOptions,
) {
  const catalogue = await readCatalogue(client)
  const exported: TransferManifest['tables'] = []
  for (const { name, columns, key } of catalogue) {
    const table = tables.find((each) => each.name === name)
    if (!table) continue
    signal?.throwIfAborted()
    onProgress?.({ step: 'tables', name, done: exported.length, total: tables.length })
    const content = await copyOut(
      client,
      store,
      tableName(name),
      queryOf(client, table, columns, key),
      {
        change: table.change?.(columns),
        signal,
      },
    )
    exported.push({ name, columns, ...content })
  }
  const last = await readSequences(client)
  return {
    migrations: await appliedMigrations(client),
    tables: exported,
    sequences: Object.fromEntries(
      Object.entries(last).filter(([name]) => sequences?.includes(name) ?? true),
    ),
    partitions: await readPartitions(client),
    jobs: pharmacy === null ? await copyOut(client, store, JOBS, PENDING_JOBS, { signal }) : null,
    keys: await fileKeys(client, tables),
  }
}

/** In the order of the key, so that equal rows have equal hashes. */
function queryOf(
  client: pg.Client,
  { name, where = 'true', values = {} }: ExportedTable,
  columns: CatalogueTable['columns'],
  key: CatalogueTable['key'],
): string {
  const selected = columns.map((column) => values[column] ?? client.escapeIdentifier(column))
  return `select ${selected.join(', ')} from ${client.escapeIdentifier(name)} where ${where}
    order by ${columnList(client, key)}`
}

/** The files to which the rows of these tables refer. */
export async function fileKeys(
  client: pg.Client,
  tables: readonly ExportedTable[],
): Promise<FileKey[]> {
  const keys: FileKey[] = []
  const whereOf = (table: string) => tables.find(({ name }) => name === table)?.where
  for await (const key of storedFileKeys(client, {
    images: whereOf('order_image_files'),
    files: whereOf('stored_files'),
  })) {
    keys.push(key)
  }
  return keys
}
