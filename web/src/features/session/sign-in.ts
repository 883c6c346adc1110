import { z } from 'zod/mini'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import type { Area } from '../../lib/session-state.ts'
import { areas, resetPath } from './areas.ts'

/** Signs in. Returns null on success, and the session store notifies its subscribers; otherwise the error text. */
export async function signIn(area: Area, credentials: Credentials): Promise<string | null> {
  const { error } = await areas[area].session
    .auth()
    .then((client) => client.signInWithPassword(credentials))
    .catch((cause: unknown) => ({ error: cause }))
  return error ? authErrorMessage(error, 'Credenziali non valide. Riprova per favore.') : null
}

/** Requests a recovery mail. Returns null when it was accepted, otherwise the error text. */
export async function requestPasswordReset(area: Area, email: string): Promise<string | null> {
  const redirectTo = location.origin + resetPath(area, 'recovery')
  const { error } = await areas[area].session
    .auth()
    .then((client) => client.resetPasswordForEmail(email, { redirectTo }))
    .catch((cause: unknown) => ({ error: cause }))
  if (!error) return null
  return authErrorMessage(
    error,
    "Non è stato possibile inviare l'email per il reset della password. Riprova più tardi.",
  )
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
