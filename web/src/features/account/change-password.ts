import { z } from 'zod'
import { passwordRefusal } from '../../lib/auth-messages.ts'
import { NewPassword } from '../../lib/new-password.ts'
import type { Area } from '../../lib/session-state.ts'
import { asOneself } from './own-account.ts'
import { problemCode } from './use-action.ts'

/** How somebody proves that it is them: with the password there is, or with a code from a mail. */
export type Proof = 'password' | 'code'

const missing: Record<Proof, string> = {
  password: 'Scrivi la password attuale.',
  code: 'Scrivi il codice che ti abbiamo inviato per email.',
}

export function passwordChange(proof: Proof) {
  return NewPassword.safeExtend({ proof: z.string().trim().min(1, missing[proof]) })
}

type Change = { proof: string; password: string }

/** Null when it is changed; else which field is wrong, and why. @throws what no field can mend */
export async function changePassword(
  area: Area,
  by: Proof,
  { proof, password }: Change,
): Promise<{ field: 'proof' | 'password'; text: string } | null> {
  const proven = by === 'password' ? { current_password: proof } : { nonce: proof }
  try {
    await asOneself(area, (auth) => auth.updateUser({ password, ...proven }))
    return null
  } catch (error) {
    const code = problemCode(error)
    if (code === 'current_password_invalid') {
      return { field: 'proof', text: 'La password attuale non è corretta.' }
    }
    if (code === 'reauthentication_not_valid') {
      return { field: 'proof', text: 'Il codice è scaduto o non è corretto. Chiedine uno nuovo.' }
    }
    const text = passwordRefusal(error)
    if (text !== null) return { field: 'password', text }
    throw error
  }
}

/** Sends a code by mail, for who does not remember the password. */
export async function askForCode(area: Area): Promise<void> {
  await asOneself(area, (auth) => auth.reauthenticate())
}
