import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { reasonOf } from '../../database/embedded/folders.ts'
import type { Log } from '../../database/embedded/log.ts'
import { removeRestored } from '../../database/restored.ts'
import type { FileStore } from '../../ports/file-store.ts'
import { APP_SECRET_FILE, writePrivateFile } from '../../secret-file.ts'
import { StartupError } from '../../startup-error.ts'
import { BackupError } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'
import { storedFileKeys, withOwner } from './database-facts.ts'
import { readCustomerErasures, readErasures } from './erasures.ts'
import { neededFiles } from './expire.ts'
import { BACKUP_TASK, type Manifest } from './manifest.ts'
import { chooseBackup, type RestoreProgress, restoreDatabase } from './restore-database.ts'

/** The data folder while it is restored, within the new one. */
const UNFINISHED = 'restoring'

type Restore = {
  store: BackupStore
  /** The new data folder: empty, or not there. */
  into: string
  /** Milliseconds since 1970; undefined: the last state. */
  until: number | undefined
  /** The stores of files in a data folder. */
  storesIn(dataDir: string): Record<'images' | 'files', Pick<FileStore, 'put'>>
  log: Log
  settings?: Record<string, string>
  signal?: AbortSignal
  onProgress?(progress: RestoreProgress | { step: 'files'; done: number; total: number }): void
}

export type Restored = {
  manifest: Manifest
  /** The time of the last transaction (ISO 8601). */
  lastChange: string | null
  files: number
  /** Files that the back-up needs and that could not be restored. */
  lostFiles: number
  /** Files that rows refer to and that are in no back-up: stored just before the end, or missing before. */
  absentFiles: number
}

/**
 * Restores a back-up into a new data folder, which is usable only when this resolves.
 *
 * @throws BackupError, StartupError
 */
export async function restore(options: Restore): Promise<Restored> {
  const { store, into, until, log, settings, signal, onProgress } = options
  await requireEmpty(into)
  const manifest = await chooseBackup(store, until)
  const dataDir = join(into, UNFINISHED)
  try {
    const target = until === undefined ? 'latest' : { time: new Date(until).toISOString() }
    const copy = { store, manifest, dataDir, target, log, settings, signal, onProgress } as const
    const database = await restoreDatabase(copy)
    let restored: Omit<Restored, 'manifest'>
    try {
      signal?.throwIfAborted()
      restored = await withOwner(database.url, async (client) => {
        const lastChange = await lastChangeOf(client)
        await prepareFirstStart(client, store)
        return { lastChange, ...(await restoreFiles(client, { ...options, manifest, dataDir })) }
      })
    } finally {
      await database.stop()
    }
    await writePrivateFile(join(dataDir, APP_SECRET_FILE), manifest.secrets.appSecret)
    for (const name of await readdir(dataDir)) await rename(join(dataDir, name), join(into, name))
    await rmdir(dataDir)
    return { manifest, ...restored }
  } catch (error) {
    await removeRestored(dataDir)
    signal?.throwIfAborted()
    throw error
  }
}

async function requireEmpty(into: string): Promise<void> {
  await mkdir(into, { recursive: true, mode: 0o711 }).catch((error: unknown) => {
    throw new StartupError(`Cannot make the folder ${into}: ${reasonOf(error)}.`)
  })
  const names = (await readdir(into)).filter((name) => name !== 'lost+found')
  if (names.length === 0) return
  throw new StartupError(
    `The folder ${into} is not empty: a restore needs a new one, and changes nothing that exists.`,
  )
}

async function lastChangeOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    'select pg_last_xact_replay_timestamp() as at',
  )
  return rows[0]?.at?.toISOString() ?? null
}

/**
 * What was erased after the back-up is erased again by the server before it answers its first request. The run that made
 * the back-up is not going on, and the new timeline needs a back-up of its own.
 */
async function prepareFirstStart(client: pg.Client, store: BackupStore): Promise<void> {
  for (const { pharmacyId, erasedAt } of await readErasures(store)) {
    await client.query(
      `insert into backup_erasures (purged_id, erased_at) values ($1, $2)
       on conflict (purged_id) do nothing`,
      [pharmacyId, erasedAt],
    )
  }
  // As in its migration: the database may be older.
  await client.query(
    `create table if not exists backup_customer_erasures (
       owner_id uuid not null, customer_hash text not null, erased_at timestamptz not null,
       constraint backup_customer_erasures_pkey primary key (owner_id, customer_hash)
     )`,
  )
  for (const { pharmacyId, customerHash, erasedAt } of await readCustomerErasures(store)) {
    await client.query(
      `insert into backup_customer_erasures (owner_id, customer_hash, erased_at) values ($1, $2, $3)
       on conflict (owner_id, customer_hash) do update set erased_at = excluded.erased_at`,
      [pharmacyId, customerHash, erasedAt],
    )
  }
  await client.query(
    `update backup_runs set state = 'failed', problem = 'interrupted', finished_at = now()
     where state = 'running'`,
  )
  await client.query(
    `select graphile_worker.add_job($1, '{}'::json, job_key := 'daily:' || $1, run_at := now())`,
    [BACKUP_TASK],
  )
}

async function restoreFiles(
  client: pg.Client,
  {
    store,
    manifest,
    dataDir,
    storesIn,
    signal,
    onProgress,
  }: Restore & { manifest: Manifest; dataDir: string },
) {
  const stores = storesIn(dataDir)
  const needed = new Set(await neededFiles(store, manifest.id))
  const stored = await store.list('files/')
  const scratch = join(dataDir, 'restored-file')
  let files = 0
  let lostFiles = 0
  let absentFiles = 0
  for await (const { folder, key } of storedFileKeys(client)) {
    signal?.throwIfAborted()
    const names = store.keyIds.map((id) => store.fileName(folder, key, id))
    const name = names.find((each) => stored.has(each))
    try {
      if (name === undefined) {
        if (names.some((each) => needed.has(each))) lostFiles += 1
        else absentFiles += 1
        continue
      }
      await store.read(name, createWriteStream(scratch, { mode: 0o600 }))
      await stores[folder].put(key, { path: scratch }, 'application/octet-stream')
      files += 1
    } catch (error) {
      if (!(error instanceof BackupError) || error.kind !== 'damaged') throw error
      // The others are restored all the same; the caller says how many are lost.
      lostFiles += 1
    }
    onProgress?.({ step: 'files', done: files, total: stored.size })
  }
  await rm(scratch, { force: true })
  return { files, lostFiles, absentFiles }
}
