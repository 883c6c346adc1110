import { closeSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_BYTES = 5_000_000

/** What PostgreSQL writes, beside its files: errors of its own, never statements or their values. */
export function logFile(dataDir: string): string {
  return join(dataDir, 'postgres.log')
}

/**
 * The log to hand to a child, which goes on writing to it when we are gone; the caller closes its
 * own end.
 */
export function openLog(dataDir: string): number {
  return openSync(logFile(dataDir), 'a', 0o600)
}

/** Begins the log anew when it has grown; for a moment when no PostgreSQL of ours writes to it. */
export function shortenLog(dataDir: string): void {
  const log = openLog(dataDir)
  if (fstatSync(log).size > MAX_BYTES) ftruncateSync(log)
  closeSync(log)
}

/** Remembers the log's end, to read later what was added. */
export async function readLogFrom(dataDir: string): Promise<{ text(): Promise<string> }> {
  const file = logFile(dataDir)
  const from = await stat(file).then(
    ({ size }) => size,
    () => 0,
  )
  return { text: () => readFrom(file, from) }
}

async function readFrom(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r')
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
 * The line that says why it failed, without its time stamp. With a process id, only lines of that
 * process count, for two servers that start at once share the log.
 */
export function lastMeaningfulLine(log: string, pid?: number): string {
  const lines = log.split('\n').filter((line) => line.trim())
  const own = pid ? lines.filter((line) => line.includes(`[${pid}]`)) : lines
  const candidates = own.length > 0 ? own : lines
  const grave = candidates.findLast((line) => /\b(FATAL|PANIC|ERROR|error|fatal):/.test(line))
  const line = grave ?? candidates.at(-1) ?? 'it said nothing'
  return line.replace(/^.*?(?:FATAL|PANIC|ERROR|error|fatal):\s*/, '').trim()
}
