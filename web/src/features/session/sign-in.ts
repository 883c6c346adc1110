import { auth } from '../../lib/auth-client.ts'
import { authErrorMessage } from '../../lib/messages.ts'
import type { Credentials } from './credentials.ts'

/** The page a recovery link leads to. */
const RECOVERY_PATH = '/reset-password'

/** Signs in. Null when it worked (the session store tells everybody), else what to say. */
export async function signIn(credentials: Credentials): Promise<string | null> {
  const { error } = await auth.signInWithPassword(credentials)
  return error ? authErrorMessage(error, 'Credenziali non valide. Riprova per favore.') : null
}

/** Asks for a recovery mail. Null when it was accepted, else what to say. */
export async function requestPasswordReset(email: string): Promise<string | null> {
  const { error } = await auth.resetPasswordForEmail(email, {
    redirectTo: `${location.origin}${RECOVERY_PATH}?type=recovery`,
  })
  if (!error) return null
  return authErrorMessage(
    error,
    "Non è stato possibile inviare l'email per il reset della password. Riprova più tardi.",
  )
}
