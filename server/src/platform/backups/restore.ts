import { createWriteStream } from 'node:fs'
import { access, constants, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { makeFolder, reasonOf } from '../../base/files.ts'
import { APP_SECRET_FILE, writePrivateFile } from '../../base/secret-file.ts'
import { StartupError } from '../../base/startup-error.ts'
import { withClient } from '../../database/client.ts'
import { removeRestored } from '../../database/restored.ts'
import type { FileStore } from '../../ports/file-store.ts'
import type { Log } from '../../ports/log.ts'
import { undefinedIfDamaged } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'
import { readCustomerErasures, readErasures, storedFileKeys } from './database-facts.ts'
import { neededFiles } from './expire.ts'
import { BACKUP_TASK, type Manifest } from './manifest.ts'
import {
  planRestore,
  type RestoreChoice,
  type RestorePlan,
  type RestoreProgress,
  restoreDatabase,
} from './restore-database.ts'

/** The data folder while it is restored, within the new one. */
const UNFINISHED = 'restoring'

type Restore = {
  store: BackupStore
  /** The new data folder: empty, or not there. */
  into: string
  choice: RestoreChoice
  /** The stores of files in a data folder. */
  storesIn(dataDir: string): Record<'images' | 'files', Pick<FileStore, 'put'>>
  log: Log
  settings?: Record<string, string>
  signal?: AbortSignal
  /** Before anything is written. */
  onPlan?(plan: RestorePlan): void
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
  /** Without the list, every missing file counts as lost. */
  isFileListDamaged: boolean
}

/**
 * Restores a back-up into a new data folder, which is usable only when this resolves.
 *
 * @throws BackupError, StartupError
 */
export async function restore(options: Restore): Promise<Restored> {
  const { store, into, choice, log, settings, signal, onProgress } = options
  await requireEmpty(into)
  const plan = await planRestore(store, choice)
  const { manifest, target } = plan
  options.onPlan?.(plan)
  const dataDir = join(into, UNFINISHED)
  try {
    const copy = { store, manifest, dataDir, target, log, settings, signal, onProgress } as const
    const database = await restoreDatabase(copy)
    let restored: Omit<Restored, 'manifest'>
    try {
      signal?.throwIfAborted()
      restored = await withClient(database.url, async (client) => {
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
  let names: string[]
  try {
    await makeFolder(into, 0o711)
    await access(into, constants.W_OK | constants.X_OK)
    names = await readdir(into)
  } catch (error) {
    throw new StartupError(`Cannot write to the folder ${into}: ${reasonOf(error)}.`)
  }
  if (names.every((name) => name === 'lost+found')) return
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
  const needed = await neededFiles(store, manifest.id).catch(undefinedIfDamaged)
  const neededNames = needed && new Set(needed)
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
        if (!neededNames || names.some((each) => neededNames.has(each))) lostFiles += 1
        else absentFiles += 1
        continue
      }
      await store.read(name, createWriteStream(scratch, { mode: 0o600 }))
      await stores[folder].put(key, { path: scratch }, 'application/octet-stream')
      files += 1
    } catch (error) {
      undefinedIfDamaged(error)
      // The others are restored all the same; the caller says how many are lost.
      lostFiles += 1
    }
    onProgress?.({ step: 'files', done: files, total: stored.size })
  }
  await rm(scratch, { force: true })
  return { files, lostFiles, absentFiles, isFileListDamaged: needed === undefined }
}
