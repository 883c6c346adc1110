import pg from 'pg'

/** SQLSTATE classes that say the server is gone, restarting or overloaded: the same call may work later. */
const passing = /^(08|3D|53|57|55P03|40|25006)/

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

/** pg's own errors have no code. */
const texts =
  /Connection terminated|timeout exceeded when trying to connect|Client was closed|connection error and is not queryable/

/** True when the database could not be reached or was busy, and nothing is known to be wrong with the call. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passing.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') {
    if (socketErrors.has(error.code) || isMissingSocket(error)) return true
  }
  return texts.test(error.message)
}

/** The database's socket is a file on some machines. Every other file that is missing is a mistake. */
function isMissingSocket(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect'
}

/** True when somebody else held what it needed for longer than it was to wait. */
export function isLockedOut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/**
 * True when a text cannot be in a database at all: for a zero byte in it or, within a document, half a
 * character. Nobody types such a one.
 */
export function isImpossibleText(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const isOfDocument = error.code === '22P02' && error.routine?.startsWith('json_') === true
  return isOfDocument || error.code === '22021' || error.code === '22P05'
}

/** True when what was written is against the rule of that name, for example that a name is taken once. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}
