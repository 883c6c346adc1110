import { z } from 'zod'
import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { callAsUser } from './own-account.ts'

/** The form of a re-authentication. */
export const ReauthenticationInput = z.object({
  password: z.string().min(1, 'Scrivi la tua password.'),
})

/** Null when the password is right: the service then allows what it refuses to an older session. @throws AuthError */
export async function reauthenticate(area: Area, password: string): Promise<string | null> {
  try {
    await callAsUser(area, (auth) => auth.updateUser({ current_password: password }))
    return null
  } catch (error) {
    if (problemCode(error) === 'current_password_invalid') return 'La password non è corretta.'
    throw error
  }
}
