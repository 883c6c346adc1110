import { BACKUP_DAYS } from '@bancone/contract/backups'
import { DAY_MS } from '@bancone/contract/dates'
import { undefinedIfDamaged } from './backup-error.ts'
import type { BackupStore, Stored } from './backup-store.ts'
import { removeErasures } from './database-facts.ts'
import {
  archiveName,
  backupIds,
  fileListName,
  LOG,
  MANIFESTS,
  postgresManifestName,
  timeOfBackup,
} from './manifest.ts'

/** What has no manifest after so long belongs to a run that was interrupted. */
const UNFINISHED_MS = 2 * DAY_MS

/**
 * Removes what is older than 35 days: back-ups, except for the last one of all; the log and the erasures before
 * the oldest back-up; and files that no back-up needs.
 */
export async function expireBackups(store: BackupStore, now: number): Promise<void> {
  const limit = now - BACKUP_DAYS * DAY_MS
  const ids = await backupIds(store)
  const [newest, ...others] = ids
  if (newest === undefined) return
  const expired = others.filter((id) => (timeOfBackup(id) ?? now) < limit)
  const kept = ids.filter((id) => !expired.includes(id))
  const manifests = await store.list(MANIFESTS)
  for (const id of expired) {
    const manifest = manifests.get(`${MANIFESTS}${id}`)
    // Before what it lists: an interrupted removal must not leave a back-up that looks complete.
    if (manifest) await store.remove(manifest)
  }
  await removeBases(store, now, kept)
  const oldest = Math.min(...kept.map((id) => timeOfBackup(id) ?? now))
  await removeAll(store, await store.list(LOG), ({ name, modifiedAt }) => {
    return modifiedAt < oldest && !name.endsWith('-history')
  })
  await removeErasures(store, Math.min(oldest, limit))
  await removeFiles(store, kept, limit)
}

async function removeBases(store: BackupStore, now: number, kept: readonly string[]) {
  const needed = new Set(
    kept.flatMap((id) => [archiveName(id), postgresManifestName(id), fileListName(id)]),
  )
  await removeAll(store, await store.list('base/'), ({ name }) => {
    const time = timeOfBackup(name.split('/')[1] ?? '') ?? now
    return !needed.has(name) && time < now - UNFINISHED_MS
  })
}

async function removeFiles(store: BackupStore, kept: readonly string[], limit: number) {
  const files = await store.list('files/')
  const old = new Map([...files].filter(([, { modifiedAt }]) => modifiedAt < limit))
  for (const id of kept) {
    if (old.size === 0) return
    const needed = await neededFiles(store, id).catch(undefinedIfDamaged)
    // None is removed while it is not known which are needed.
    if (!needed) return
    for (const name of needed) old.delete(name)
  }
  await removeAll(store, old, () => true)
}

/** The names of the files that a back-up needs. */
export async function neededFiles(store: BackupStore, id: string): Promise<string[]> {
  const text = (await store.readAll(fileListName(id))).toString()
  return text === '' ? [] : text.split('\n')
}

async function removeAll(
  store: BackupStore,
  found: ReadonlyMap<string, Stored>,
  isGone: (stored: Stored) => boolean,
) {
  for (const stored of found.values()) if (isGone(stored)) await store.remove(stored)
}
