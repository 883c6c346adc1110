import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '../../database/client.ts'
import { appliedMigrations } from '../../database/migrate.ts'
import { OtherVersionError, removeRestored } from '../../database/restored.ts'
import type { Log } from '../../ports/log.ts'
import { BackupError } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'
import { countRows } from './database-facts.ts'
import { neededFiles } from './expire.ts'
import { logPrefix, type Manifest } from './manifest.ts'
import { chooseBackup, logAfter, restoreDatabase } from './restore-database.ts'

const PREFIX = 'backup-test-'

/** The number of files that a test reads: all of them would be as much traffic as a restore. */
const READ_FILES = 20

type Test = {
  store: BackupStore
  /** The folder in which the copy is restored for a while. */
  dataDir: string
  /** Whether the log is archived: then it must follow the back-up without a gap. */
  isLogArchived: boolean
  log: Log
  settings?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}

/**
 * Looks for the files and the log of the newest back-up, restores it into a temporary folder, starts it, compares
 * migrations and rows with the manifest, and removes it again.
 *
 * @throws BackupError when the copy is not what was backed up
 */
export async function testBackup(test: Test): Promise<Manifest> {
  const { store, dataDir, log, settings, signal } = test
  await removeAbandoned(dataDir)
  const folder = await mkdtemp(join(dataDir, PREFIX))
  try {
    const manifest = await chooseBackup(store)
    await checkStoredFiles(store, manifest)
    if (test.isLogArchived) await checkLog(store, manifest)
    const target = 'consistent'
    const copy = { store, manifest, dataDir: folder, target, log, settings, signal } as const
    const database = await restoreDatabase(copy).catch((error: unknown) => {
      if (!(error instanceof OtherVersionError)) throw error
      // Its files are what was copied; only a PostgreSQL of that version could start it.
      log.warn(
        { id: manifest.id },
        'the copy was checked, but not started: it is of another version',
      )
    })
    try {
      if (database) await compare(database.url, manifest)
    } finally {
      await database?.stop()
    }
    return manifest
  } finally {
    await removeRestored(folder)
  }
}

/** @throws BackupError `test_failed` */
async function compare(url: string, manifest: Manifest): Promise<void> {
  await withClient(url, async (client) => {
    const migrations = await appliedMigrations(client)
    if (migrations.join() !== manifest.migrations.join()) {
      throw new BackupError('test_failed', 'The copy has other migrations than its manifest.')
    }
    const rows = await countRows(client, Object.keys(manifest.rows))
    for (const [table, { least, most }] of Object.entries(manifest.rows)) {
      const found = rows[table] ?? 0
      if (found >= least && found <= most) continue
      throw new BackupError(
        'test_failed',
        `The copy has ${found} rows of ${table}, and not ${least} to ${most}.`,
      )
    }
  })
}

/** Whether all files are there; reads some, at random. @throws BackupError `files_missing`, `damaged` */
async function checkStoredFiles(store: BackupStore, manifest: Manifest): Promise<void> {
  const stored = await store.list('files/')
  const needed = await neededFiles(store, manifest.id)
  const missing = needed.filter((name) => !stored.has(name))
  if (missing.length > 0) {
    const which = `${missing.length} of ${manifest.files} files`
    throw new BackupError('files_missing', `${which} are missing in the copy.`)
  }
  for (let count = 0; count < Math.min(READ_FILES, needed.length); count += 1) {
    const name = needed[Math.floor(Math.random() * needed.length)]
    if (name !== undefined) await store.read(name, discard)
  }
}

async function discard(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of content) void chunk
}

/** Reads the log that follows the back-up, to its end. @throws BackupError `damaged` */
async function checkLog(store: BackupStore, manifest: Manifest): Promise<void> {
  const stored = await store.list(logPrefix(manifest.database.system))
  const { chain, isBroken } = logAfter(stored.values(), manifest)
  if (isBroken) throw new BackupError('damaged', 'The archive of the log has a gap.')
  for (const { stored: segment } of chain) {
    await store.read(segment.name, discard)
  }
}

/** Of a test that was killed. */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(PREFIX)) await removeRestored(join(dataDir, name))
  }
}
