import pg from 'pg'

/** SQLSTATE classes that say the server is gone, restarting or overloaded: the same call may work later. */
const passing = /^(08|3D|53|57|55P03|40|25006)/

const socketErrors = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** pg's own errors have no code. */
const texts =
  /Connection terminated|timeout exceeded when trying to connect|Client was closed|connection error and is not queryable/

/** True when the database could not be reached or was busy, and nothing is known to be wrong with the call. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string' && socketErrors.has(error.code)) return true
  return texts.test(error.message)
}

/** True when a text cannot be in a database at all, for a zero byte in it: nobody types such a one. */
export function isImpossibleText(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '22021'
}
