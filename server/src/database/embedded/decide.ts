import type { ProcessState, Recorded } from './processes.ts'

/** The facts about `postmaster.pid` and the process that it names. */
export type Facts =
  | { file: 'absent' }
  | { file: 'unreadable' }
  | {
      file: 'read'
      pid: number
      port: number | undefined
      process: ProcessState
      recorded: Recorded
      /**
       * What responds at the port: this database with this password, a PostgreSQL that is starting or stopping,
       * something else, or nothing.
       */
      answer: 'ours' | 'busy' | 'other' | 'nobody'
      /** The name of the program; undefined where the system does not tell. */
      program: string | undefined
    }

/**
 * - `absent`, `stale`: no PostgreSQL runs; PostgreSQL replaces a stale file itself. If the pid is `taken`, by another
 *   process or a zombie, PostgreSQL must be told that it is not a server.
 * - `running`: PostgreSQL runs on these files and accepts the password.
 * - `wait`: gather the facts again; `unsure`, or `inUse`, if nothing has changed after that many seconds.
 * - `unsure`: an operator must decide; starting could run two servers on one database.
 */
export type Decision =
  | { kind: 'absent' }
  | { kind: 'stale'; pid: number; taken: boolean }
  | { kind: 'running'; pid: number; port: number }
  | { kind: 'wait'; seconds: number; why: string; inUse?: true }
  | { kind: 'unsure'; why: string }

/** Decides what to do about a database that may be in use. Pure: depends on the facts only. */
export function decide(facts: Facts): Decision {
  if (facts.file === 'absent') return { kind: 'absent' }
  if (facts.file === 'unreadable') {
    return { kind: 'wait', seconds: 3, why: 'cannot be read, or does not begin with a process id' }
  }
  const { pid, port, answer, program } = facts
  const taken = facts.process !== 'none'
  if (facts.recorded.startsWith('elsewhere')) {
    const runs = facts.recorded === 'elsewhere, beating' || answer === 'ours' || answer === 'busy'
    if (!runs) return { kind: 'stale', pid, taken }
    const why = `names process ${pid} of another container, whose server runs`
    return { kind: 'wait', seconds: 20, why, inUse: true }
  }
  if (facts.process !== 'alive' || facts.recorded === 'ended') return { kind: 'stale', pid, taken }
  if (answer === 'ours' && port) return { kind: 'running', pid, port }
  if (answer === 'busy') {
    return {
      kind: 'wait',
      seconds: 120,
      why: `names process ${pid}, which is starting or stopping`,
    }
  }
  if (program !== undefined && !isPostgres(program)) {
    return { kind: 'unsure', why: `names process ${pid}, but that process is '${program}'` }
  }
  if (answer === 'other') {
    return {
      kind: 'unsure',
      why: `names process ${pid}, which does not answer as this database with its password`,
    }
  }
  return { kind: 'wait', seconds: 10, why: `names process ${pid}, which runs and does not answer` }
}

function isPostgres(program: string): boolean {
  return /^postgres(\.exe)?$/.test(program)
}
