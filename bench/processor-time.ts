import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Linux counts processor time in hundredths of a second for programs, whatever its clock. */
const TICKS = 100

/** @returns the parent and the processor seconds of a process, also of its threads; null when it has ended */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The name of the program, in parentheses, may have spaces. Behind it: state, parent, …
  const [, parent, ...rest] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, ofEndedUser = 0, ofEndedSystem = 0] = rest.slice(9, 13)
  return {
    parent,
    own: (user + system) / TICKS,
    ofEnded: (ofEndedUser + ofEndedSystem) / TICKS,
  }
}

export async function processorSeconds(pid: number): Promise<number> {
  return (await statOf(pid))?.own ?? 0
}

/** Processor seconds of a database on this machine: of all its processes, also those that have ended. */
export async function databaseSeconds(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const first = (await statOf(rows[0]?.pid ?? 0))?.parent ?? 0
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const all = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })))
  let seconds = 0
  for (const { pid, stat } of all) {
    if (pid === first) seconds += (stat?.own ?? 0) + (stat?.ofEnded ?? 0)
    else if (stat?.parent === first) seconds += stat.own
  }
  return seconds
}
