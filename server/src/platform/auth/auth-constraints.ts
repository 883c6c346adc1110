import pg from 'pg'

/** Nobody has two factors of one name, in whatever case. */
export function isFactorNameTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'auth_factors__name_taken'
}

/** Two users cannot have one address: whoever comes second is told by the database. */
export function isEmailTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'auth_users__email_taken'
}
