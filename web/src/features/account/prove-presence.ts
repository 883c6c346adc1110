import { z } from 'zod'
import type { Area } from '../../lib/session-state.ts'
import { asOneself } from './own-account.ts'
import { problemCode } from './use-action.ts'

/** What somebody is asked for who has to show that it is still them. */
export const Presence = z.object({ password: z.string().min(1, 'Scrivi la tua password.') })

/** Null when it is theirs: the service then takes what it would not from a session left open. @throws AuthError */
export async function provePresence(area: Area, password: string): Promise<string | null> {
  try {
    await asOneself(area, (auth) => auth.updateUser({ current_password: password }))
    return null
  } catch (error) {
    if (problemCode(error) === 'current_password_invalid') return 'La password non è corretta.'
    throw error
  }
}
