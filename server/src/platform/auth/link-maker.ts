import { PKCE_PREFIX, type TokenKind, typeOfKind } from './one-time-tokens.ts'
import type { RedirectAllowList } from './redirect-urls.ts'

export type LinkMaker = {
  /** The URL of the sign-in page. */
  login: string
  /** The link for a mail. */
  forMail(token: string, kind: TokenKind, target: URL): string
  /** The link to GoTrue's `/verify`, which the admin API returns. */
  forProtocol(token: string, kind: TokenKind, target: URL): string
  /** The URL of the application's confirmation page; null when the target belongs to another application. */
  toOwnPage(token: string, type: string, target: URL): string | null
}

/**
 * Links start with the configured URL, never with a request's host. One whose target is this application leads
 * straight to its confirmation page, with the token in the fragment: no server or proxy sees it, and a program
 * that fetches the link does not use it up.
 */
export function createLinkMaker(
  publicUrl: string,
  redirects: RedirectAllowList,
  pages: { login: string; confirm: string },
): LinkMaker {
  function toOwnPage(token: string, type: string, target: URL): string | null {
    if (token.startsWith(PKCE_PREFIX) || !redirects.isOwn(target)) return null
    const redirectTo = target.pathname + target.search
    const fragment = new URLSearchParams({ token_hash: token, type })
    // Without a specific target, the page chooses one for the kind of link.
    if (redirectTo !== '/') fragment.set('redirect_to', redirectTo)
    return `${target.origin}${pages.confirm}#${fragment.toString()}`
  }

  function forProtocol(token: string, kind: TokenKind, target: URL): string {
    const query = new URLSearchParams({ token, type: typeOfKind(kind), redirect_to: target.href })
    return `${publicUrl}/auth/v1/verify?${query.toString()}`
  }

  return {
    login: publicUrl + pages.login,
    forMail: (token, kind, target) =>
      toOwnPage(token, typeOfKind(kind), target) ?? forProtocol(token, kind, target),
    forProtocol,
    toOwnPage,
  }
}
