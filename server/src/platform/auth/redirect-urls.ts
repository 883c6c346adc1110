import type { AuthError } from './auth-error.ts'
import type { AuthSession } from './session-tokens.ts'

/** Adds the auth code to the query, for the PKCE flow. */
export function withCode(target: URL, code: string): URL {
  const url = new URL(target)
  url.searchParams.set('code', code)
  return url
}

/** Adds the session to the fragment, for the implicit flow. No server receives the fragment. */
export function withSession(target: URL, session: AuthSession, said: Record<string, string>): URL {
  const url = new URL(target)
  url.hash = new URLSearchParams({
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    sb: '',
    token_type: session.token_type,
    ...said,
  }).toString()
  return url
}

/**
 * Adds the error: to the query for PKCE clients, and to the fragment for all.
 *
 * @param description replaces the error's message
 */
export function withError(
  target: URL,
  error: AuthError,
  { isPkce, description = error.message }: { isPkce: boolean; description?: string },
): URL {
  const url = new URL(target)
  const said = {
    error: error.status < 500 ? 'access_denied' : 'server_error',
    error_code: error.code,
    error_description: description,
  }
  if (isPkce) {
    for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
  }
  url.hash = new URLSearchParams({ ...said, sb: '' }).toString()
  return url
}
