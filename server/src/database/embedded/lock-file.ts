import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './folders.ts'

/** The content of `postmaster.pid`, which PostgreSQL writes line by line. */
export type LockFile = {
  pid: number
  /** Unix seconds. */
  startedAt: number | undefined
  port: number | undefined
  ready: boolean
}

export function lockFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

export async function readLockFile(cluster: string): Promise<LockFile | 'absent' | 'unreadable'> {
  try {
    return parseLockFile(await readFile(lockFilePath(cluster), 'utf8')) ?? 'unreadable'
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'absent' : 'unreadable'
  }
}

export function parseLockFile(text: string): LockFile | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  // In single-user mode PostgreSQL writes a negative pid.
  const pid = Math.abs(Number(lines[0]))
  if (!Number.isSafeInteger(pid) || pid === 0) return undefined
  return {
    pid,
    startedAt: positive(lines[2]),
    port: positive(lines[3]),
    ready: lines[7] === 'ready',
  }
}

function positive(line: string | undefined): number | undefined {
  const value = Number(line)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}
