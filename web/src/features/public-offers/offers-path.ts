import { paths } from '@bancone/contract/pages'

const ADDRESS = new RegExp(`^${paths.offers}/([^/]+)(?:/([^/]+))?/?$`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Code and offer id of a path; the code is empty when the path has none. */
export function parseOffersPath(path: string): { code: string; offerId: string | null } {
  const [, code = '', offerId] = ADDRESS.exec(path) ?? []
  return {
    code: decoded(code).trim(),
    offerId: offerId === undefined ? null : decoded(offerId),
  }
}
