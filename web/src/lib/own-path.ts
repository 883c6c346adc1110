import { readAddress } from './read-address.ts'

const PATH = /^\/(?![/\\])/

/**
 * A path inside this application, with its query, as the browser understands it; null for anything that
 * would lead out of it. Another site can be written in many ways: `//x`, `/\x`, a tab in between, `/.//x`.
 */
export function ownPath(candidate: string | null | undefined): string | null {
  const url = candidate && PATH.test(candidate) ? readAddress(candidate, location.origin) : null
  if (!url) return null
  const path = url.pathname + url.search
  return url.origin === location.origin && PATH.test(path) ? path : null
}
