import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../base/files.ts'

const MAX_BYTES = 5_000_000

/** The path of PostgreSQL's log. It contains errors, never statements or their values. */
export function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

/**
 * Opens the log for a child process, which continues to write to it after this process has ended. The caller closes
 * its descriptor.
 */
export function openLog(dataDir: string): number {
  return openSync(logFile(dataDir), 'a', 0o600)
}

/** Truncates the log if it is too large. Only to be called while no PostgreSQL writes to it. */
export function truncateLog(dataDir: string): void {
  const log = openLog(dataDir)
  if (fstatSync(log).size > MAX_BYTES) ftruncateSync(log)
  closeSync(log)
}

/** Records the current end of the log; `text()` reads what was added since. */
export async function readLogFrom(dataDir: string): Promise<{ text(): Promise<string> }> {
  const file = logFile(dataDir)
  const from = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  return { text: () => readFrom(file, from) }
}

async function readFrom(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    // Nothing has written to it yet.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(Math.max(size - from, 0), 64_000)
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8')
  } finally {
    await handle.close()
  }
}

/**
 * The log line with the reason of a failure, without its time stamp. With a pid, only lines of that process are used,
 * because two servers that start at the same time share the log.
 */
export function lastMeaningfulLine(log: string, pid?: number): string {
  const lines = log.split('\n').filter((line) => line.trim())
  const own = pid ? lines.filter((line) => line.includes(`[${pid}]`)) : lines
  const candidates = own.length > 0 ? own : lines
  const grave = candidates.findLast((line) => /\b(FATAL|PANIC|ERROR|error|fatal):/.test(line))
  const line = grave ?? candidates.at(-1) ?? 'it said nothing'
  return line.replace(/^.*?(?:FATAL|PANIC|ERROR|error|fatal):\s*/, '').trim()
}
