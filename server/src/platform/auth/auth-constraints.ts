import { violatesConstraint } from '../../database/errors.ts'

/** The user has another factor of that name; the case is ignored. */
export function isFactorNameTaken(error: unknown): boolean {
  return violatesConstraint(error, 'auth_factors__name_taken')
}

/** The factor was deleted concurrently. */
export function isFactorGone(error: unknown): boolean {
  return violatesConstraint(error, 'auth_challenges_factor_id_fkey')
}

/** Another user has that address. The constraint decides between concurrent requests. */
export function isEmailTaken(error: unknown): boolean {
  return violatesConstraint(error, 'auth_users__email_taken')
}

/** The session that asked to link an identity ended concurrently. */
export function isLinkTargetGone(error: unknown): boolean {
  return (
    violatesConstraint(error, 'auth_external_flows_link_session_id_fkey') ||
    violatesConstraint(error, 'auth_external_flows_link_user_id_fkey')
  )
}
