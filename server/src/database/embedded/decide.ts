import type { ProcessState } from './process-facts.ts'

/** The facts about `postmaster.pid` and the process that it names. */
export type Facts =
  | { file: 'absent' }
  | { file: 'unreadable' }
  | {
      file: 'read'
      pid: number
      port: number | undefined
      process: ProcessState
      /**
       * What responds at the port: this database with this password, a PostgreSQL that is starting or stopping,
       * something else, or nothing.
       */
      answer: 'ours' | 'busy' | 'other' | 'nobody'
      /** The name of the program; undefined where the system does not tell. */
      program: string | undefined
      startedAfterFile: boolean | undefined
    }

/**
 * - `absent`, `stale`: no PostgreSQL runs; PostgreSQL replaces a stale file itself. A `defunct` (zombie) process
 *   still has its pid, and PostgreSQL must be told that it is not a server.
 * - `running`: PostgreSQL runs on these files and accepts the password.
 * - `wait`: gather the facts again; `unsure` if nothing has changed after that many seconds.
 * - `unsure`: an operator must decide; starting could run two servers on one database.
 */
export type Decision =
  | { kind: 'absent' }
  | { kind: 'stale'; pid: number; defunct: boolean }
  | { kind: 'running'; pid: number; port: number }
  | { kind: 'wait'; seconds: number; why: string }
  | { kind: 'unsure'; why: string }

/** Decides what to do about a database that may be in use. Pure: depends on the facts only. */
export function decide(facts: Facts): Decision {
  if (facts.file === 'absent') return { kind: 'absent' }
  if (facts.file === 'unreadable') {
    return { kind: 'wait', seconds: 3, why: 'cannot be read, or does not begin with a process id' }
  }
  const { pid, port, answer, program } = facts
  if (facts.process !== 'alive') {
    return { kind: 'stale', pid, defunct: facts.process === 'defunct' }
  }
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
  if (facts.startedAfterFile) {
    return {
      kind: 'unsure',
      why: `names process ${pid}, but that process is younger than the file`,
    }
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
