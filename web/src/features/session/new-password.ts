import { isAuthApiError, isAuthSessionMissingError } from '@supabase/auth-js'
import { authErrorMessage, passwordRefusal } from '../../lib/auth-messages.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

/**
 * 'refused': another password will do. 'over': the session cannot do it any more, it takes a new link.
 * 'failed': it can be tried again.
 */
type Outcome = { kind: 'saved' } | { kind: 'refused' | 'over' | 'failed'; text: string }

const lostCodes = new Set(['session_not_found', 'bad_jwt', 'no_authorization', 'user_not_found'])

const linkOver = 'La sessione aperta dal link è scaduta: per la nuova password serve un altro link.'

const linkLate = 'È passato troppo tempo da quando hai aperto il link: chiedine uno nuovo.'

export async function saveNewPassword(area: Area, password: string): Promise<Outcome> {
  const keeper = areas[area].session
  const before = keeper.current()
  const { error } = await keeper
    .auth()
    .updateUser({ password })
    .catch((cause: unknown) => ({ error: cause }))
  if (!error) return { kind: 'saved' }
  const refusal = passwordRefusal(error)
  if (refusal !== null) return { kind: 'refused', text: refusal }
  const code = isAuthApiError(error) ? (error.code ?? '') : ''
  if (isAuthSessionMissingError(error) || lostCodes.has(code)) {
    if (before) keeper.lost(before.accessToken)
    return { kind: 'over', text: linkOver }
  }
  if (code === 'reauthentication_needed') return { kind: 'over', text: linkLate }
  // A second factor was added elsewhere: the page asks for it as soon as this browser knows.
  if (code === 'insufficient_aal' && before) await keeper.raised(before.accessToken)
  const text = authErrorMessage(error, 'Non è stato possibile salvare la password. Riprova.')
  return { kind: 'failed', text }
}
