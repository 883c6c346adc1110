import { isAuthApiError, isAuthSessionMissingError } from '@supabase/auth-js'
import { authErrorMessage, passwordErrorMessage } from '../../lib/auth-messages.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

/**
 * 'refused': another password may be accepted. 'over': the session no longer permits it, a new link is required.
 * 'failed': may be retried.
 */
type Outcome = { kind: 'saved' } | { kind: 'refused' | 'over' | 'failed'; text: string }

const lostCodes = new Set(['session_not_found', 'bad_jwt', 'no_authorization', 'user_not_found'])

const linkOver = 'La sessione aperta dal link è scaduta: per la nuova password serve un altro link.'

const linkLate = 'È passato troppo tempo da quando hai aperto il link: chiedine uno nuovo.'

export async function saveNewPassword(area: Area, password: string): Promise<Outcome> {
  const store = areas[area].session
  const before = store.current()
  const { error } = await store
    .auth()
    .then((client) => client.updateUser({ password }))
    .catch((cause: unknown) => ({ error: cause }))
  if (!error) return { kind: 'saved' }
  const refusal = passwordErrorMessage(error)
  if (refusal !== null) return { kind: 'refused', text: refusal }
  const code = isAuthApiError(error) ? (error.code ?? '') : ''
  if (isAuthSessionMissingError(error) || lostCodes.has(code)) {
    if (before) store.invalidate(before.accessToken)
    return { kind: 'over', text: linkOver }
  }
  if (code === 'reauthentication_needed') return { kind: 'over', text: linkLate }
  // A second factor was added elsewhere: the page asks for it after the refresh.
  if (code === 'insufficient_aal' && before)
    await store.refreshAfterInsufficientAal(before.accessToken)
  const text = authErrorMessage(error, 'Non è stato possibile salvare la password. Riprova.')
  return { kind: 'failed', text }
}
