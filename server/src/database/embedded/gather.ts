import { realpath } from 'node:fs/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Facts } from './decide.ts'
import type { ClusterLocation } from './location.ts'
import { type LockFile, parseLockFile, readLockFile } from './lock-file.ts'
import { processState, programOf, startOf } from './process-facts.ts'
import { lookUpRecord } from './process-record.ts'
import { isBusy, openSession } from './session.ts'

/** Times have a resolution of one second, and PostgreSQL records its start shortly after the process starts. */
const TOLERANCE_SECONDS = 3

/** Reads `postmaster.pid`, inspects the process that it names, and connects to its port. */
export async function gatherFacts(
  { cluster, dataDir }: Pick<ClusterLocation, 'cluster' | 'dataDir'>,
  password: string,
): Promise<Facts> {
  const file = await readLockFile(cluster)
  if (file === 'absent' || file === 'unreadable') return { file }
  const { pid, port, startedAt } = file
  const state = await processState(pid)
  const started = await startOf(pid)
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
    startedAfterFile: started && startedAt ? started > startedAt + TOLERANCE_SECONDS : undefined,
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
