import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readSecret } from '../src/base/secret-file.ts'
import { type EmbeddedDatabase, passwordFile, startEmbedded } from '../src/database/embedded.ts'
import { newKeyText, readKeys } from '../src/platform/backups/backup-key.ts'
import { createBackupStore } from '../src/platform/backups/backup-store.ts'
import { sendLog } from '../src/platform/backups/log-archive.ts'
import type { BackupSource } from '../src/platform/backups/make-backup.ts'
import { restore } from '../src/platform/backups/restore.ts'
import type { RestoreChoice } from '../src/platform/backups/restore-database.ts'
import { prepareDatabase } from '../src/start/prepare-database.ts'
import { countedTables, openBackupPlace } from '../src/wiring/backups.ts'
import { createFileStores } from '../src/wiring/file-stores.ts'
import { atEnd } from './at-end.ts'
import { testSecret } from './server.ts'
import { silentLog } from './silent-log.ts'

/** Without fsync, as all databases of tests. */
export const fast = { fsync: 'off' }

export const keyText = newKeyText()

/** A database of its own that archives its log, with a folder for back-ups, for the test file. */
export async function backupWorld() {
  const root = await mkdtemp(join(tmpdir(), 'bancone-backup '))
  await chmod(root, 0o711)
  const [dataDir, target] = [join(root, 'data'), join(root, 'target')]
  await mkdir(target)
  const start = (folder: string, archive = false): Promise<EmbeddedDatabase> =>
    startEmbedded({
      dataDir: folder,
      log: silentLog,
      onLost: () => {},
      archive,
      settings: fast,
    })
  const database = await start(dataDir, true)
  await prepareDatabase(database.url, silentLog, async () => {})
  const pool = new pg.Pool({ connectionString: database.url, max: 3 })
  pool.on('error', () => {})
  atEnd(async () => {
    await pool.end()
    await database.stop()
    await rm(root, { recursive: true, force: true })
  })
  const storesIn = (folder: string) => {
    const { images, files } = createFileStores(folder, undefined)
    return { images: images.store, files: files.store }
  }
  const stores = storesIn(dataDir)
  const store = createBackupStore(await openBackupPlace({ folder: target }), readKeys(keyText))
  const source: BackupSource = {
    url: database.url,
    databasePassword: await readSecret(passwordFile(dataDir)),
    appSecret: testSecret,
    stores,
    countedTables,
  }
  const { archive } = database
  if (!archive) throw new Error('the database does not archive')

  let folders = 0
  return {
    root,
    dataDir,
    target,
    database,
    pool,
    store,
    stores,
    storesIn,
    source,
    archive,
    start,
    newFolder: () => join(root, `new-${(folders += 1)}`),
    /** Sends the log of all that is committed. */
    async sendLog(into = store): Promise<void> {
      // Nothing is switched where nothing was written.
      await pool.query("select pg_logical_emit_message(false, 'test', '')")
      const { rows } = await pool.query<{ system: string; file: string }>(
        `select (select system_identifier::text from pg_control_system()) as system,
           pg_walfile_name(pg_switch_wal()) as file`,
      )
      const [{ system, file } = { system: '', file: '' }] = rows
      for (;;) {
        await sendLog(into, system, archive, new Set())
        if (await into.exists(`wal/${system}/${file.toLowerCase()}`)) return
      }
    },
    restore: (into: string, choice: RestoreChoice = {}, from = store) =>
      restore({ store: from, into, choice, storesIn, log: silentLog, settings: fast }),
  }
}

export type BackupWorld = Awaited<ReturnType<typeof backupWorld>>
