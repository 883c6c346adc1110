import { PKCE_PREFIX, type TokenKind, typeOfKind } from './one-time-tokens.ts'
import type { Redirects } from './redirects.ts'

export type LinkMaker = {
  /** Where one signs in. */
  login: string
  /** What is written into a mail. */
  forMail(token: string, kind: TokenKind, target: URL): string
  /** The protocol's own link, which administrators are given. */
  forProtocol(token: string, kind: TokenKind, target: URL): string
  /** The page of our own application that asks for the click; null for a client of somebody else. */
  toOwnPage(token: string, type: string, target: URL): string | null
}

/**
 * Links are made from the configured address, never from a request. One that ends in our own
 * application leads straight to its page, with the token after the `#`: no server and no proxy sees
 * it, and no program that only fetches the link uses it up.
 */
export function createLinkMaker(
  publicUrl: string,
  redirects: Redirects,
  pages: { login: string; confirm: string },
): LinkMaker {
  function toOwnPage(token: string, type: string, target: URL): string | null {
    if (token.startsWith(PKCE_PREFIX) || !redirects.isOwn(target)) return null
    const redirectTo = target.pathname + target.search
    const fragment = new URLSearchParams({ token_hash: token, type })
    // Nowhere in particular: the page knows best where each kind of link leads.
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
