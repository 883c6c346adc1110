import type { AuthError } from './auth-error.ts'
import { PKCE_PREFIX, type TokenKind, typeOfKind } from './one-time-tokens.ts'
import type { AuthSession } from './session-tokens.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether the name is one of this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname)
}

export type RedirectAllowList = ReturnType<typeof createRedirectAllowList>

/**
 * The allowed redirect targets: the configured origins, compared as a whole. Patterns, prefixes, `Referer` and
 * `Host` are not used.
 *
 * @param publicUrl the application's URL; if its host is this machine, all names and ports of the machine are
 *   allowed
 * @param origins further origins
 */
export function createRedirectAllowList(publicUrl: string, origins: readonly string[]) {
  const own = new URL(publicUrl)
  const others = new Set(origins)

  /** Whether the URL is one of this application. */
  const isOwn = (target: URL): boolean =>
    target.origin === own.origin ||
    // A configured origin of this machine is another application.
    (isLoopback(own.hostname) &&
      isLoopback(target.hostname) &&
      target.protocol === own.protocol &&
      !others.has(target.origin))

  return {
    isOwn,
    /** The candidate if it is allowed, else the application's own URL. */
    allowed(candidate: unknown): URL {
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

export type LinkMaker = ReturnType<typeof createLinkMaker>

/**
 * Links start with the configured URL, never with a request's host. One whose target is this application leads
 * straight to its confirmation page, with the token in the fragment: no server or proxy sees it, and a program
 * that fetches the link does not use it up.
 */
export function createLinkMaker(
  publicUrl: string,
  { isOwn }: RedirectAllowList,
  pages: { login: string; confirm: string },
) {
  /** The URL of the application's confirmation page; null when the target belongs to another application. */
  function toOwnPage(token: string, type: string, target: URL): string | null {
    if (token.startsWith(PKCE_PREFIX) || !isOwn(target)) return null
    const redirectTo = target.pathname + target.search
    const fragment = new URLSearchParams({ token_hash: token, type })
    // Without a specific target, the page chooses one for the kind of link.
    if (redirectTo !== '/') fragment.set('redirect_to', redirectTo)
    return `${target.origin}${pages.confirm}#${fragment.toString()}`
  }

  /** The link to GoTrue's `/verify`, which the admin API returns. */
  function forProtocol(token: string, kind: TokenKind, target: URL): string {
    const query = new URLSearchParams({ token, type: typeOfKind(kind), redirect_to: target.href })
    return `${publicUrl}/auth/v1/verify?${query.toString()}`
  }

  return {
    /** The URL of the sign-in page. */
    login: publicUrl + pages.login,
    /** The link for a mail. */
    forMail: (token: string, kind: TokenKind, target: URL) =>
      toOwnPage(token, typeOfKind(kind), target) ?? forProtocol(token, kind, target),
    forProtocol,
    toOwnPage,
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
