import { z } from 'zod'
import { passwordErrorMessage } from '../../lib/auth-messages.ts'
import { NewPassword } from '../../lib/new-password.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { callAsUser } from './own-account.ts'

/** How a user re-authenticates: with the current password, or with a code sent by mail. */
export type ReauthenticationMethod = 'password' | 'code'

const missing: Record<ReauthenticationMethod, string> = {
  password: 'Scrivi la password attuale.',
  code: 'Scrivi il codice che ti abbiamo inviato per email.',
}

export function passwordChange(proof: ReauthenticationMethod) {
  return NewPassword.safeExtend({ proof: z.string().trim().min(1, missing[proof]) })
}

type Change = { proof: string; password: string }

/**
 * Null when the password was changed; otherwise the invalid field and the reason. @throws errors that concern no
 * field
 */
export async function changePassword(
  area: Area,
  by: ReauthenticationMethod,
  { proof, password }: Change,
): Promise<{ field: 'proof' | 'password'; text: string } | null> {
  const proven = by === 'password' ? { current_password: proof } : { nonce: proof }
  try {
    await callAsUser(area, (auth) => auth.updateUser({ password, ...proven }))
    return null
  } catch (error) {
    const code = problemCode(error)
    if (code === 'current_password_invalid') {
      return { field: 'proof', text: 'La password attuale non è corretta.' }
    }
    if (code === 'reauthentication_not_valid') {
      return { field: 'proof', text: 'Il codice è scaduto o non è corretto. Chiedine uno nuovo.' }
    }
    const text = passwordErrorMessage(error)
    if (text !== null) return { field: 'password', text }
    throw error
  }
}

/** Sends a code by mail, for users who have forgotten the password. */
export async function requestCode(area: Area): Promise<void> {
  await callAsUser(area, (auth) => auth.reauthenticate())
}
