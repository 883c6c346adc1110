import { violates } from '../../database/errors.ts'

/** Nobody has two factors of one name, in whatever case. */
export function isFactorNameTaken(error: unknown): boolean {
  return violates(error, 'auth_factors__name_taken')
}

/** The factor was taken away a moment ago. */
export function isFactorGone(error: unknown): boolean {
  return violates(error, 'auth_challenges_factor_id_fkey')
}

/** Two users cannot have one address: whoever comes second is told by the database. */
export function isEmailTaken(error: unknown): boolean {
  return violates(error, 'auth_users__email_taken')
}

/** Whoever leaves to link another service has been signed out a moment ago. */
export function isLinkerGone(error: unknown): boolean {
  return (
    violates(error, 'auth_external_flows_link_session_id_fkey') ||
    violates(error, 'auth_external_flows_link_user_id_fkey')
  )
}
