import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

const Cells = z.record(z.string(), z.unknown())

/** A record as it is kept: what was written, not what is computed. Times in ms since 1970. */
const Kept = z.object({
  id: z.string(),
  number: z.number(),
  createdTime: z.number(),
  modifiedTime: z.number(),
  cells: Cells,
})
export type KeptRecord = z.infer<typeof Kept>

/**
 * One change of a table (`base/table`): a record as it now is, the id of one that is gone, or the
 * highest number that was given to a record.
 */
const Change = z.object({
  table: z.string(),
  record: Kept.optional(),
  gone: z.string().optional(),
  numbered: z.number().optional(),
})
export type Change = z.infer<typeof Change>

export type Journal = {
  /** The changes that were kept, oldest first. */
  changes: Change[]
  /** On the disk of the operating system when it returns: a killed process loses nothing. */
  append(changes: Change[]): void
  close(): void
}

/** Without a file nothing is kept. */
export function openJournal(file: string | undefined): Journal {
  if (!file) return { changes: [], append: () => {}, close: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  const changes = compact(readChanges(file))
  const text = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  const half = `${file}.new`
  const target = openSync(half, 'w')
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

/** A line that was cut short by a kill can only be the last, and was never acknowledged. */
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
 * What is left of many changes of the same records: the last one of each. And the highest number of
 * each table, because its record may be gone and a number is never given twice.
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
