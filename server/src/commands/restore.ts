import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { backupPlaceOf, type Config } from '../config/config.ts'
import { BackupError } from '../platform/backups/backup-error.ts'
import { type Keyring, loadKeys, readKeys } from '../platform/backups/backup-key.ts'
import { type BackupStore, createBackupStore } from '../platform/backups/backup-store.ts'
import { backupIds, type Manifest, readManifest } from '../platform/backups/manifest.ts'
import { restore } from '../platform/backups/restore.ts'
import type { RestorePlan } from '../platform/backups/restore-database.ts'
import { romeTimeText, timeInRome } from '../platform/rome-time.ts'
import { createLogger } from '../start/logger.ts'
import { openBackupPlace } from '../wiring/backups.ts'
import { createFileStores } from '../wiring/file-stores.ts'
import { command, createProgressLine, inMegabytes, interruption } from './command.ts'

const usage = `npm run restore -- --from FOLDER|s3://BUCKET/FOLDER --list
npm run restore -- --from FOLDER|s3://BUCKET/FOLDER --into FOLDER [--backup NAME] [--until "2026-11-22 10:00"]
  --list    shows the back-ups that are there
  --backup  the name of the back-up; without it, the newest one, or the last one before --until
  --until   the moment whose state is restored, in Italian time`

/** The command `npm run restore`: makes a new data folder of a back-up. */
await command(async (config) => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      into: { type: 'string' },
      backup: { type: 'string' },
      until: { type: 'string' },
      list: { type: 'boolean' },
    },
  })
  if (!values.from || !(values.into || values.list)) throw new StartupError(usage)
  const until = values.until === undefined ? undefined : timeInRome(values.until)
  if (Number.isNaN(until)) throw new StartupError(usage)
  const files = await openBackupPlace(backupPlaceOf(values.from, config))
  const line = createProgressLine()
  try {
    const store = createBackupStore(files, await keysFor(config))
    if (!values.into) return await listed(store)
    const into = resolve(values.into)
    const { manifest, lastChange, ...found } = await restore({
      store,
      into,
      choice: { id: values.backup, until },
      signal: interruption(),
      onPlan(plan) {
        process.stdout.write(`${planText(plan, into, until)}\n`)
      },
      storesIn(dataDir) {
        const { images, files: others } = createFileStores(dataDir, undefined)
        return { images: images.store, files: others.store }
      },
      log: createLogger('error'),
      onProgress({ step, done, total }) {
        if (step === 'database') line.show(`Database: ${inMegabytes(done)}`)
        else line.show(`${step === 'log' ? 'Log' : 'Files'}: ${done} of ${total}`)
      },
    })
    line.end()
    const last = lastChange === null ? undefined : romeTimeText(Date.parse(lastChange))
    const state = last === undefined ? '' : ` with changes until ${last}`
    const absent = found.absentFiles > 0 ? `; ${found.absentFiles} were not copied yet` : ''
    const done = `The back-up ${manifest.id}${state} is in ${into}, with ${found.files} files${absent}.`
    if (found.lostFiles > 0) {
      throw new StartupError(
        `${done} But ${found.lostFiles} files are damaged or missing in the back-up, and could not be restored.${
          found.isFileListDamaged
            ? ' The list of its files is damaged as well: some of them may never have been in it.'
            : ''
        }`,
      )
    }
    return `${done}\nStart the server with DATA_DIR=${into} and its other settings.`
  } finally {
    line.end()
    files.close()
  }
})

/** The back-ups in a place, newest first. */
async function listed(store: BackupStore): Promise<string> {
  const lines: string[] = []
  for (const id of await backupIds(store)) {
    lines.push(
      `${id}  ${await readManifest(store, id).then(manifestText, (error: unknown) => {
        if (error instanceof BackupError && error.kind !== 'target') return error.message
        throw error
      })}`,
    )
  }
  return lines.length > 0 ? lines.join('\n') : 'There is no back-up in this place.'
}

function manifestText({ finishedAt, database, bytes, files }: Manifest): string {
  const of = database.embedded ? 'embedded PostgreSQL' : `${database.name}, PostgreSQL`
  const size = `${inMegabytes(bytes)}, ${files} files`
  return `complete at ${romeTimeText(Date.parse(finishedAt))}: ${of} ${database.major}, ${size}`
}

/** What will happen, before it does. */
function planText({ manifest, target, isWithoutLog }: RestorePlan, into: string, until?: number) {
  const time = until === undefined ? '' : romeTimeText(until)
  const state = isWithoutLog
    ? `as it was when it was complete, because no log leads from it to ${time}`
    : target === 'consistent'
      ? 'as it was when it was complete, without later changes'
      : target === 'latest'
        ? 'with all later changes that are in the archived log'
        : `with the changes of the archived log until ${time}`
  return `The back-up ${manifest.id} (${manifestText(manifest)}) is restored into ${into}, ${state}.`
}

/** On an empty machine the key is on paper. */
async function keysFor(config: Config): Promise<Keyring> {
  if (config.backupKey) return loadKeys(config.backupKey)
  if (!process.stdin.isTTY) {
    throw new StartupError('Set BACKUP_KEY or BACKUP_KEY_FILE to the key of the recovery sheet.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return readKeys(await terminal.question('Key of the recovery sheet: '))
  } finally {
    terminal.close()
  }
}
