import { isLongEnough, isTooLong, MIN_PASSWORD_LENGTH } from '@bancone/contract/passwords'
import { isAuthApiError, isAuthSessionMissingError } from '@supabase/auth-js'
import { z } from 'zod'
import { authErrorMessage, passwordRefusal, passwordTooLong } from '../../lib/auth-messages.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas } from './areas.ts'

/** What the form for a new password asks for. */
export const NewPassword = z
  .object({
    password: z
      .string()
      .min(1, 'Scegli una password.')
      .refine(isLongEnough, `La password deve avere almeno ${MIN_PASSWORD_LENGTH} caratteri.`)
      .refine((password) => !isTooLong(password), passwordTooLong),
    repeat: z.string().min(1, 'Ripeti la password.'),
  })
  .refine(({ password, repeat }) => repeat === '' || repeat === password, {
    path: ['repeat'],
    message: 'Le due password non sono uguali.',
    // Said together with what is wrong with the first.
    when: () => true,
  })

/**
 * 'refused': another password will do. 'over': the session cannot do it any more, it takes a new link.
 * 'failed': it can be tried again.
 */
type Outcome = { kind: 'saved' } | { kind: 'refused' | 'over' | 'failed'; text: string }

const lostCodes = new Set(['session_not_found', 'bad_jwt', 'no_authorization', 'user_not_found'])

const linkOver = 'La sessione aperta dal link è scaduta: per la nuova password serve un altro link.'

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
  const text = authErrorMessage(error, 'Non è stato possibile salvare la password. Riprova.')
  return { kind: code === 'reauthentication_needed' ? 'over' : 'failed', text }
}
