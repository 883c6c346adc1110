import { z } from 'zod'
import { ownPath } from '../lib/own-path.ts'

const LoginState = z.object({
  /** The page that asked for a session. */
  from: z.string().nullable().catch(null),
  /** Whose page that was, where it was somebody's: the words of a search in it are for nobody else. */
  user: z.string().nullable().catch(null),
  /** Why somebody who was signed in no longer is. */
  why: z.enum(['ended', 'closed', 'denied']).nullable().catch(null),
  /** They come to ask for a link. */
  forgot: z.boolean().catch(false),
})
/** What the login page is told with the address. It stays with the entry of the history over a reload. */
export type LoginState = z.infer<typeof LoginState>

const nothing: LoginState = { from: null, user: null, why: null, forgot: false }

export function loginState(locationState: unknown): LoginState {
  return LoginState.catch(nothing).parse(locationState)
}

/** Where to go after sign-in: the place that asked for it, or the area's first page. */
export function returnPath(locationState: unknown, home: string, userId: string): string {
  const { from, user } = loginState(locationState)
  if (user !== null && user !== userId) return home
  const path = ownPath(from)
  // Our own links only: what `ownPath` has let through can be taken apart.
  return from === null || path === null ? home : path + new URL(from, location.origin).hash
}
