import { z } from 'zod/mini'
import { askAuth } from '../../lib/ask-auth.ts'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { resetPath } from './areas.ts'

/** Signs in. Returns null on success, and the session store notifies its subscribers; otherwise the error text. */
export async function signIn(area: Area, credentials: Credentials): Promise<string | null> {
  const { error } = await askAuth(area, (auth) => auth.signInWithPassword(credentials))
  return error ? authErrorMessage(error, 'Credenziali non valide. Riprova per favore.') : null
}

/** The text of an unknown error of `requestPasswordReset`. */
export const resetFailed =
  "Non è stato possibile inviare l'email per il reset della password. Riprova più tardi."

/** Requests a recovery mail. @throws AuthError */
export async function requestPasswordReset(area: Area, email: string): Promise<void> {
  const redirectTo = location.origin + resetPath(area, 'recovery')
  const auth = await sessions[area].auth()
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo })
  if (error) throw error
}

/** The login form. */
export const Credentials = z.object({
  email: z.pipe(
    z.string().check(z.trim(), z.minLength(1, 'Inserisci la tua email.')),
    z.email("Controlla l'indirizzo email: non è completo."),
  ),
  password: z.string().check(z.minLength(1, 'Inserisci la password.')),
})
export type Credentials = z.infer<typeof Credentials>
