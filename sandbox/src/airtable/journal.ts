import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const Cells = z.record(z.string(), z.unknown())

/** A stored record, without computed fields. Times in ms since 1970. */
const StoredRecordSchema = z.object({
  id: z.string(),
  number: z.number(),
  createdTime: z.number(),
  modifiedTime: z.number(),
  cells: Cells,
})
export type StoredRecord = z.infer<typeof StoredRecordSchema>

/**
 * One change of a table (`base/table`): the record's new state, the id of a deleted one, or the highest record
 * number so far.
 */
const Change = z.object({
  table: z.string(),
  record: StoredRecordSchema.optional(),
  gone: z.string().optional(),
  numbered: z.number().optional(),
})
export type Change = z.infer<typeof Change>

export type Journal = {
  /** The persisted changes, oldest first. */
  changes: Change[]
  /** Written to the operating system when it returns: a killed process loses nothing. */
  append(changes: Change[]): void
  close(): void
}

/** Without a file nothing is persisted. */
export function openJournal(file: string | undefined): Journal {
  if (!file) return { changes: [], append: () => {}, close: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  const changes = compact(readChanges(file))
  const text = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  const half = `${file}.new`
  // A new file, readable by its owner alone: orders hold names, addresses and medicines.
  rmSync(half, { force: true })
  const target = openSync(half, 'wx', 0o600)
  writeSync(target, text)
  closeSync(target)
  renameSync(half, file)
  const handle = openSync(file, 'a')
  return {
    changes,
    append(added) {
      writeSync(handle, added.map((change) => `${JSON.stringify(change)}\n`).join(''))
    },
    close: () => closeSync(handle),
  }
}

/** Only the last line can be truncated by a kill, and it was never acknowledged. */
function readChanges(file: string): Change[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [Change.parse(JSON.parse(line))]
    } catch {
      return []
    }
  })
}

/**
 * Compacts the changes: the last one of each record, and the highest number of each table, because numbers are
 * never reused.
 */
function compact(changes: Change[]): Change[] {
  const last = new Map<string, Change>()
  const highest = new Map<string, number>()
  for (const change of changes) {
    const number = change.record?.number ?? change.numbered ?? 0
    highest.set(change.table, Math.max(highest.get(change.table) ?? 0, number))
    const id = change.record?.id ?? change.gone ?? ''
    const key = `${change.table}/${id}`
    if (change.record) last.set(key, change)
    else last.delete(key)
  }
  const numbers = [...highest].map(([table, numbered]) => ({ table, numbered }))
  return [...numbers, ...last.values()]
}
