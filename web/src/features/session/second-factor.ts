import { askAuth, isSessionLost } from '../../lib/ask-auth.ts'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { verifyRecoveryCode } from '../../lib/recovery-codes.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { areas } from './areas.ts'

/**
 * 'wrong': another code may be right. 'failed': may be retried. 'over': the session or the factor no longer exists.
 */
type Outcome = { kind: 'passed' | 'over' } | { kind: 'wrong' | 'failed'; text: string }

const WRONG = new Set([
  'mfa_verification_failed',
  'mfa_challenge_expired',
  'mfa_ip_address_mismatch',
  'mfa_recovery_code_invalid',
  'validation_failed',
])

/** Submits the code of an authenticator app. On success the session store notifies its subscribers. */
export async function submitCode(area: Area, factorId: string, code: string): Promise<Outcome> {
  const { error } = await askAuth(area, (auth) => auth.mfa.challengeAndVerify({ factorId, code }))
  return error ? outcomeOf(area, error) : { kind: 'passed' }
}

/** Submits one of the recovery codes. */
export async function submitRecoveryCode(area: Area, code: string): Promise<Outcome> {
  try {
    await verifyRecoveryCode(area, code.trim())
    return { kind: 'passed' }
  } catch (error) {
    return outcomeOf(area, error)
  }
}

async function outcomeOf(area: Area, error: unknown): Promise<Outcome> {
  const { session } = areas[area]
  const code = problemCode(error) ?? ''
  const stored = session.current()
  if (isSessionLost(error)) {
    if (stored) session.invalidate(stored.accessToken)
    return { kind: 'over' }
  }
  if (code === 'mfa_factor_not_found') {
    // The factor was removed elsewhere; a refresh reads the remaining ones.
    await askAuth(area, (auth) => auth.refreshSession())
    if (!session.current()?.factorNeeded) return { kind: 'over' }
  }
  const text = authErrorMessage(error, 'Non è stato possibile verificare il codice. Riprova.')
  return { kind: WRONG.has(code) ? 'wrong' : 'failed', text }
}
