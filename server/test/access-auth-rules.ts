import { randomUUID } from 'node:crypto'
import type { CallerState } from './access-rules.ts'

/**
 * The requirement of a call of `/auth/v1`: nothing; a session; level aal2 for users with a second factor, with
 * the status of the error otherwise; or an administrator.
 */
type Needs = 'nothing' | 'a session' | { level: 401 | 403 | 422 } | 'an administrator'

export type AuthCall = {
  /** Method and path of the route. */
  route: string
  /** The variant of the call, where the body matters. */
  with?: string
  needs: Needs
  /** An authentication within the last 24 hours is needed. */
  fresh?: true
  query?: string
  body?: object
}

/** All calls, in an order in which they can be made: those that end sessions come last. */
export const authCalls: readonly AuthCall[] = [
  { route: 'GET /.well-known/jwks.json', needs: 'nothing' },
  { route: 'GET /settings', needs: 'nothing' },
  { route: 'GET /health', needs: 'nothing' },
  { route: 'POST /token', needs: 'nothing' },
  { route: 'POST /signup', needs: 'nothing' },
  { route: 'POST /otp', needs: 'nothing' },
  { route: 'POST /recover', needs: 'nothing' },
  { route: 'POST /resend', needs: 'nothing' },
  { route: 'GET /verify', needs: 'nothing' },
  { route: 'POST /verify', needs: 'nothing' },
  { route: 'POST /verify/click', needs: 'nothing' },
  { route: 'POST /sso', needs: 'nothing' },
  { route: 'GET /authorize', needs: 'nothing' },
  { route: 'GET /callback', needs: 'nothing' },
  { route: 'GET /user', needs: 'a session' },
  { route: 'PUT /user', needs: { level: 401 }, with: 'data', body: { data: { a: 1 } } },
  { route: 'PUT /user', needs: { level: 401 }, with: 'password', body: { password: 'short' } },
  {
    route: 'PUT /user',
    needs: { level: 401 },
    with: 'email',
    body: { email: 'new@example.it' },
  },
  { route: 'GET /reauthenticate', needs: 'a session' },
  { route: 'POST /factors', needs: { level: 403 }, fresh: true, body: { factor_type: 'totp' } },
  { route: 'POST /factors/:factorId/challenge', needs: 'a session', body: {} },
  {
    route: 'POST /factors/:factorId/verify',
    needs: 'a session',
    body: { challenge_id: randomUUID(), code: '000000' },
  },
  { route: 'GET /factors/recovery-codes', needs: 'a session' },
  { route: 'POST /factors/recovery-codes/verify', needs: 'a session', body: { code: 'x' } },
  { route: 'POST /factors/recovery-codes/regenerate', needs: { level: 403 } },
  {
    route: 'GET /user/identities/authorize',
    needs: { level: 403 },
    fresh: true,
    query: 'provider=demo&redirect_to=/&skip_http_redirect=true',
  },
  { route: 'DELETE /user/identities/:id', needs: { level: 403 } },
  { route: 'GET /admin/users', needs: 'an administrator' },
  { route: 'POST /admin/users', needs: 'an administrator', fresh: true, body: {} },
  { route: 'GET /admin/users/:id', needs: 'an administrator' },
  { route: 'PUT /admin/users/:id', needs: 'an administrator', fresh: true, body: {} },
  { route: 'DELETE /admin/users/:id', needs: 'an administrator', fresh: true, body: {} },
  { route: 'GET /admin/users/:id/factors', needs: 'an administrator' },
  { route: 'DELETE /admin/users/:id/factors/:factorId', needs: 'an administrator', fresh: true },
  { route: 'POST /admin/generate_link', needs: 'an administrator', fresh: true, body: {} },
  { route: 'POST /invite', needs: 'an administrator', fresh: true, body: {} },
  { route: 'DELETE /factors/:factorId', needs: { level: 422 } },
  { route: 'POST /logout', needs: 'a session', query: 'scope=local' },
]

/** A caller with the admin key. From a browser the key is refused. */
export type KeyCaller = 'a server with the key' | 'a browser with the key'

export type AuthOutcome = 'let in' | `${400 | 401 | 403 | 422} ${string}`

/** The expected outcome of a call for a caller. */
export function authOutcome(
  { needs, fresh }: AuthCall,
  caller: CallerState | KeyCaller,
): AuthOutcome {
  if (needs === 'nothing') return 'let in'
  if (caller === 'a server with the key' || caller === 'a browser with the key') {
    if (needs !== 'an administrator') return '403 bad_jwt'
    return caller === 'a server with the key' ? 'let in' : '403 not_admin'
  }
  const { shows, isRevoked, isAdmin, factor, adminsNeedFactor, isStale } = caller
  const accepted = fresh && isStale ? '400 reauthentication_needed' : 'let in'
  if (shows === 'nothing') return '401 no_authorization'
  if (shows === 'key') return '403 bad_jwt'
  if (isRevoked) return '403 session_not_found'
  if (needs === 'a session') return 'let in'
  if (needs === 'an administrator') {
    if (!isAdmin) return '403 not_admin'
    const mustShow = factor !== undefined || adminsNeedFactor === true
    return mustShow && factor !== 'shown' ? '403 insufficient_aal' : accepted
  }
  return factor === 'not shown' ? `${needs.level} insufficient_aal` : accepted
}

/** The name of each call, with its variant. */
export const authCallNames = authCalls.map((call) => {
  const change = call.with ? ` (${call.with})` : ''
  return [call.route.replace(' ', ' /auth/v1') + change, call] as const
})
