import type { AuthError } from './auth-error.ts'
import type { AuthSession } from './session-tokens.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the name is one of this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname)
}

export type RedirectAllowList = {
  /** The candidate if it is allowed, else the application's own URL. */
  allowed(candidate: unknown): URL
  /** Whether the URL is one of this application. */
  isOwn(target: URL): boolean
}

/**
 * The allowed redirect targets: the configured origins, compared as a whole. Patterns, prefixes, `Referer` and
 * `Host` are not used.
 *
 * @param publicUrl the application's URL; if its host is this machine, all names and ports of the machine are
 *   allowed
 * @param origins further origins
 */
export function createRedirectAllowList(
  publicUrl: string,
  origins: readonly string[],
): RedirectAllowList {
  const own = new URL(publicUrl)
  const others = new Set(origins)

  const isOwn = (target: URL) =>
    target.origin === own.origin ||
    // A configured origin of this machine is another application.
    (isLoopback(own.hostname) &&
      isLoopback(target.hostname) &&
      target.protocol === own.protocol &&
      !others.has(target.origin))

  return {
    isOwn,
    allowed(candidate) {
      const target = parse(candidate)
      if (!target || target.username !== '' || target.password !== '') return new URL(own)
      return isOwn(target) || others.has(target.origin) ? target : new URL(own)
    },
  }
}

function parse(candidate: unknown): URL | null {
  if (typeof candidate !== 'string' || candidate === '') return null
  try {
    const url = new URL(candidate)
    // The origin of a `blob:` URL is that of the page that created it.
    return /^https?:$/.test(url.protocol) ? url : null
  } catch {
    return null
  }
}

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
