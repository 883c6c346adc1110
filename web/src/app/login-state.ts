import { z } from 'zod/mini'
import { sameOriginPath } from '../lib/same-origin-path.ts'

const LoginState = z.object({
  /** The page that required a session. */
  from: z.catch(z.nullable(z.string()), null),
  /** The user of that page: its URL may contain a search that another user must not see. */
  user: z.catch(z.nullable(z.string()), null),
  /** Why the session ended. */
  why: z.catch(z.nullable(z.enum(['ended', 'closed', 'denied'])), null),
  /** The user asked to reset the password. */
  forgot: z.catch(z.boolean(), false),
})
/** Navigation state of the login page. It belongs to the history entry and survives a reload. */
export type LoginState = z.infer<typeof LoginState>

const nothing: LoginState = { from: null, user: null, why: null, forgot: false }

export function loginState(locationState: unknown): LoginState {
  return z.catch(LoginState, nothing).parse(locationState)
}

/** The page after sign-in: the one that required the session, or the area's home page. */
export function returnPath(locationState: unknown, home: string, userId: string): string {
  const { from, user } = loginState(locationState)
  if (user !== null && user !== userId) return home
  const path = sameOriginPath(from)
  // The hash is taken from `from` itself: `sameOriginPath` has checked it, and returns path and query only.
  return from === null || path === null ? home : path + new URL(from, location.origin).hash
}
