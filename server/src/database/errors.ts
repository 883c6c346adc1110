import type { ErrorCode } from '@bancone/contract/errors'
import pg from 'pg'
import { AppError } from '../base/app-error.ts'

/** SQLSTATE codes and classes of transient errors: the server is unavailable, restarting or overloaded. */
const transientCodes = /^(08|3D|53|57|55P03|40|25006)/

const socketErrors = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Errors of pg itself, which have no code. */
const clientErrors =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client was closed|connection error and is not queryable/

/** Whether the database was unreachable or overloaded, so that the same query may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return transientCodes.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') {
    if (socketErrors.has(error.code) || isMissingSocket(error)) return true
  }
  return clientErrors.test(error.message)
}

/** A Unix socket that does not exist. ENOENT of any other file is not a database error. */
function isMissingSocket(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect'
}

/** The message of pg's error when it gives up waiting for the answer to a statement. The connection still waits for it. */
export const READ_TIMEOUT = 'Query read timeout'

export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === READ_TIMEOUT
}

/** Whether `statement_timeout` expired. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

/** Whether `lock_timeout` expired because another transaction held a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/**
 * Whether PostgreSQL cannot store a text: it contains a NUL character or, in JSON, an unpaired surrogate. Users do not
 * type such texts.
 */
export function isUnstorableText(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const isOfDocument = error.code === '22P02' && error.routine?.startsWith('json_') === true
  return isOfDocument || error.code === '22021' || error.code === '22P05'
}

/** SQLSTATE codes of values: data exceptions, program limits (a text too long for an index), and checks. */
const valueCodes = /^(22|54|23502|23514)/

/** Whether PostgreSQL refuses the values of a statement, which it would refuse again. */
export function isRefusedValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && valueCodes.test(error.code ?? '')
}

/** Whether a statement violated the constraint of that name. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}

/** The message of an error. A connection refused on several addresses gives an AggregateError without one. */
export function reason(error: unknown): string {
  if (error instanceof AggregateError) return reason(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

/** For `.catch()`: converts the violation of one of the constraints into an AppError; rethrows other errors. */
export function rethrowViolationAs(code: ErrorCode, ...constraints: readonly string[]) {
  return (error: unknown): never => {
    if (!constraints.some((constraint) => violatesConstraint(error, constraint))) throw error
    throw new AppError(code, { cause: error })
  }
}
