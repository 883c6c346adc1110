import { parseUrl } from './parse-url.ts'

const PATH = /^\/(?![/\\])/

/**
 * The path and query of a URL inside this application, as the browser resolves it; null for a URL that leads to
 * another origin, in whatever spelling: `//x`, `/\x`, with a tab in it, `/.//x`.
 */
export function sameOriginPath(candidate: string | null | undefined): string | null {
  const url = candidate && PATH.test(candidate) ? parseUrl(candidate, location.origin) : null
  if (!url) return null
  const path = url.pathname + url.search
  return url.origin === location.origin && PATH.test(path) ? path : null
}
