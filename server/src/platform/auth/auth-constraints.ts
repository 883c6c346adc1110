import pg from 'pg'

/** Two users cannot have one address: whoever comes second is told by the database. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'auth_users__email_taken'
}
