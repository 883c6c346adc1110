import { createReadStream } from 'node:fs'
import { readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError, undefinedIfDamaged } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'
import { logPrefix } from './manifest.ts'

/** A segment of the write-ahead log, or the history of a timeline. */
const SEGMENT = /^[0-9A-F]{24}$/
const HISTORY = /^[0-9A-F]{8}\.history$/

/** Names in the target are in lower case and without dots: `00000002-history`. */
export function logName(system: string, file: string): string {
  return logPrefix(system) + file.toLowerCase().replace('.', '-')
}

/** The file of a name in the target; undefined for another name. */
export function logFileOf(name: string): string | undefined {
  const last = name.slice(name.lastIndexOf('/') + 1)
  const file = last.endsWith('-history')
    ? `${last.slice(0, 8).toUpperCase()}.history`
    : last.toUpperCase()
  return SEGMENT.test(file) || HISTORY.test(file) ? file : undefined
}

/**
 * Sends what PostgreSQL has archived to the target and removes it from the folder, oldest first. It can be repeated at
 * any time.
 *
 * @param folders the archive, and PostgreSQL's log with the histories of its timelines
 * @param known histories that are known to be in the target; added to
 * @returns when the newest segment was completed (milliseconds since 1970); undefined when there was none
 * @throws BackupError `archive` when another database has archived a different segment under this name
 */
export async function sendLog(
  store: BackupStore,
  system: string,
  folders: { folder: string; log: string },
  known: Set<string>,
  signal?: AbortSignal,
): Promise<number | undefined> {
  // First: without the history, a second copy of the same back-up would take the same timeline.
  for (const file of (await readdir(folders.log)).filter((name) => HISTORY.test(name))) {
    const name = logName(system, file)
    if (known.has(name)) continue
    if (!(await store.exists(name))) await send(store, name, join(folders.log, file), signal)
    else await requireSame(store, name, join(folders.log, file))
    known.add(name)
  }
  let newest: number | undefined
  for (const file of (await readdir(folders.folder)).sort()) {
    signal?.throwIfAborted()
    const path = join(folders.folder, file)
    if (SEGMENT.test(file)) {
      const name = logName(system, file)
      const { mtimeMs } = await stat(path)
      // Sent before, by a process that was killed before it could remove it.
      if (await store.exists(name)) await requireSame(store, name, path)
      else await send(store, name, path, signal)
      newest = mtimeMs
    }
    // Histories were sent from the log; marks of back-ups are not needed; the rest are files that are being written.
    if (SEGMENT.test(file) || HISTORY.test(file) || file.endsWith('.backup')) await unlink(path)
  }
  return newest
}

async function send(store: BackupStore, name: string, path: string, signal?: AbortSignal) {
  await store.write(name, createReadStream(path), signal ? { signal } : {})
}

/** An incomplete copy is replaced. */
async function requireSame(store: BackupStore, name: string, path: string): Promise<void> {
  const stored = await store.readAll(name).catch(undefinedIfDamaged)
  if (!stored) return send(store, name, path)
  if (stored.equals(await readFile(path))) return
  throw new BackupError(
    'archive',
    'Another copy of this database archives to the same place: give each its own BACKUP_TO.',
  )
}
