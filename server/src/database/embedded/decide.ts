import type { ProcessState } from './process-facts.ts'

/** What can be known of `postmaster.pid` and of the process that it names. */
export type Facts =
  | { file: 'absent' }
  | { file: 'unreadable' }
  | {
      file: 'read'
      pid: number
      port: number | undefined
      process: ProcessState
      /**
       * Who answers at the port: our database with our password, one that is starting or stopping,
       * something else, or nobody.
       */
      answer: 'ours' | 'busy' | 'other' | 'nobody'
      /** Undefined where the system does not say. */
      program: string | undefined
      startedAfterFile: boolean | undefined
    }

/**
 * - `absent`, `stale`: nothing runs; PostgreSQL itself replaces a stale file. A `defunct` process
 *   still has its number, and PostgreSQL must be told that it is not a server.
 * - `running`: PostgreSQL runs on our files and answers us.
 * - `wait`: look again, and if it is still so after that many seconds, it is unsure.
 * - `unsure`: somebody must look; starting could mean two servers on one database.
 */
export type Decision =
  | { kind: 'absent' }
  | { kind: 'stale'; pid: number; defunct: boolean }
  | { kind: 'running'; pid: number; port: number }
  | { kind: 'wait'; seconds: number; why: string }
  | { kind: 'unsure'; why: string }

/** Decides from facts alone what to do about a database that may be in use. */
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
