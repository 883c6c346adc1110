import {
  type AuthError,
  type GoTrueClient,
  isAuthApiError,
  isAuthSessionMissingError,
} from '@supabase/auth-js'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'

/** Asks the authentication service. An error is returned, also that the code of the client could not be loaded. */
export async function askAuth<Answer extends { data: unknown; error: AuthError | null }>(
  area: Area,
  ask: (auth: GoTrueClient) => Promise<Answer>,
): Promise<Answer | { data: null; error: unknown }> {
  try {
    return await ask(await sessions[area].auth())
  } catch (error) {
    return { data: null, error }
  }
}

const LOST = new Set(['session_not_found', 'bad_jwt', 'no_authorization', 'user_not_found'])

/** Whether the error says that the session no longer exists. */
export function isSessionLost(error: unknown): boolean {
  return isAuthSessionMissingError(error) || (isAuthApiError(error) && LOST.has(error.code ?? ''))
}
