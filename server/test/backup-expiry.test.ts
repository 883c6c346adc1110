import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newKeyText, readKeys } from '../src/platform/backups/backup-key.ts'
import { createBackupStore } from '../src/platform/backups/backup-store.ts'
import { readErasures, writeErasure } from '../src/platform/backups/database-facts.ts'
import { expireBackups } from '../src/platform/backups/expire.ts'
import {
  archiveName,
  backupIds,
  fileListName,
  manifestName,
  newBackupId,
} from '../src/platform/backups/manifest.ts'
import { openBackupPlace } from '../src/wiring/backups.ts'
import { temporaryFolder } from './temporary-folder.ts'

const DAY_MS = 24 * 60 * 60_000

it('back-ups older than 35 days go, with the log and the files that only they need', async () => {
  const folder = join(await temporaryFolder(), 'target')
  await mkdir(folder)
  const store = createBackupStore(await openBackupPlace({ folder }), readKeys(newKeyText()))
  const write = (name: string, text = '') => store.write(name, [Buffer.from(text)])
  // The files are written now; the back-ups are of the days around the next ones.
  const now = Date.now()
  const add = async (days: number, files: readonly string[]) => {
    const id = newBackupId(now + days * DAY_MS)
    await write(archiveName(id))
    await write(fileListName(id), files.join('\n'))
    await write(manifestName(id), '{}')
    return id
  }
  const shared = store.fileName('files', 'shared')
  const gone = store.fileName('files', 'gone')
  for (const name of [shared, gone]) await write(name)
  const segment = 'wal/1/000000010000000000000001'
  await write(segment)
  await writeErasure(store, {
    pharmacyId: '00000000-0000-4000-8000-000000000001',
    erasedAt: new Date(now).toISOString(),
  })
  const old = await add(0, [shared, gone])
  const unfinished = newBackupId(now)
  await write(archiveName(unfinished))
  const kept = await add(20, [shared])

  await expireBackups(store, now + 34 * DAY_MS)
  expect(await backupIds(store)).toEqual([kept, old])
  expect([await store.exists(archiveName(unfinished)), await store.exists(segment)]).toEqual([
    false,
    true,
  ])
  expect(await readErasures(store)).toHaveLength(1)

  await expireBackups(store, now + 36 * DAY_MS)
  expect(await backupIds(store)).toEqual([kept])
  expect(await store.exists(archiveName(old))).toBe(false)
  expect([...(await store.list('files/')).keys()]).toEqual([shared])
  expect(await store.exists(segment)).toBe(false)
  expect(await readErasures(store)).toEqual([])

  // The last one stays, however old it is.
  await expireBackups(store, now + 400 * DAY_MS)
  expect(await backupIds(store)).toEqual([kept])
  expect(await store.exists(archiveName(kept))).toBe(true)
})
