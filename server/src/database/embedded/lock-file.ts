import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { codeOf } from '../../base/files.ts'
import type { ClusterLocation } from './cluster.ts'
import { isBusy, openSession } from './database-session.ts'
import type { Facts } from './decide.ts'
import { lookUpRecord, processState, programOf } from './processes.ts'

/** The content of `postmaster.pid`, which PostgreSQL writes line by line. */
type LockFile = {
  pid: number
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
    port: positive(lines[3]),
    ready: lines[7] === 'ready',
  }
}

function positive(line: string | undefined): number | undefined {
  const value = Number(line)
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** Reads `postmaster.pid`, inspects the process that it names, and connects to its port. */
export async function gatherFacts(
  { cluster, dataDir }: Pick<ClusterLocation, 'cluster' | 'dataDir'>,
  password: string,
): Promise<Facts> {
  const file = await readLockFile(cluster)
  if (file === 'absent' || file === 'unreadable') return { file }
  const { pid, port } = file
  const state = await processState(pid)
  const recorded = await lookUpRecord(dataDir, pid)
  // The port of another container can be reached if both share a network.
  const mayAnswer = state === 'alive' || recorded.startsWith('elsewhere')
  return {
    file: 'read',
    pid,
    port,
    process: state,
    recorded,
    answer: mayAnswer ? await ask(file, cluster, password) : 'nobody',
    program: await programOf(pid),
  }
}

const Answer = z.tuple([z.object({ folder: z.string(), file: z.string() })])

type Who = Extract<Facts, { file: 'read' }>['answer']

async function ask({ pid, port }: LockFile, cluster: string, password: string): Promise<Who> {
  if (!port) return 'nobody'
  try {
    const client = await openSession({ port, password })
    try {
      const { rows } = await client.query(
        `select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as file`,
      )
      // Compares the server's view of the file, too: in another container the same path is another folder.
      const [{ folder, file }] = Answer.parse(rows)
      const same = (await realpath(folder)) === (await realpath(cluster))
      return same && parseLockFile(file)?.pid === pid ? 'ours' : 'other'
    } finally {
      await client.end().catch(() => {})
    }
  } catch (error) {
    if (isBusy(error)) return 'busy'
    return error instanceof pg.DatabaseError || error instanceof z.ZodError ? 'other' : 'nobody'
  }
}
