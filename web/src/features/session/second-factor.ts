import { isAuthApiError, isAuthSessionMissingError } from '@supabase/auth-js'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { spendRecoveryCode } from '../../lib/recovery-codes.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

/** 'wrong': another code will do. 'failed': it can be tried again. 'over': there is nothing to try it with. */
type Outcome = { kind: 'passed' | 'over' } | { kind: 'wrong' | 'failed'; text: string }

const WRONG = new Set([
  'mfa_verification_failed',
  'mfa_challenge_expired',
  'mfa_ip_address_mismatch',
  'mfa_recovery_code_invalid',
  'validation_failed',
])
const OVER = new Set(['bad_jwt', 'no_authorization', 'user_not_found'])

/** Shows the code of an app. When it was right the session's keeper tells everybody. */
export async function showCode(area: Area, factorId: string, code: string): Promise<Outcome> {
  const { session } = areas[area]
  const { error } = await session
    .auth()
    .mfa.challengeAndVerify({ factorId, code })
    .catch((cause: unknown) => ({ error: cause }))
  return error ? outcomeOf(area, error) : { kind: 'passed' }
}

/** The same with one of the codes that were kept for when there is no app. */
export async function showRecoveryCode(area: Area, code: string): Promise<Outcome> {
  try {
    await spendRecoveryCode(area, code.trim())
    return { kind: 'passed' }
  } catch (error) {
    return outcomeOf(area, error)
  }
}

async function outcomeOf(area: Area, error: unknown): Promise<Outcome> {
  const { session } = areas[area]
  const code = isAuthApiError(error) ? (error.code ?? '') : ''
  const stored = session.current()
  if (isAuthSessionMissingError(error) || OVER.has(code)) {
    if (stored) session.lost(stored.accessToken)
    return { kind: 'over' }
  }
  if (code === 'mfa_factor_not_found') {
    // It was removed elsewhere: what is left of them comes with a refresh.
    await session.auth().refreshSession()
    if (!session.current()?.factorNeeded) return { kind: 'over' }
  }
  const text = authErrorMessage(error, 'Non è stato possibile verificare il codice. Riprova.')
  return { kind: WRONG.has(code) ? 'wrong' : 'failed', text }
}
