import { paths } from '@bancone/contract/pages'

const ADDRESS = new RegExp(`^${paths.offers}/([^/]+)(?:/([^/]+))?/?$`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whose page an address is, and of which offer; the code is empty where it names none. */
export function placeOf(path: string): { code: string; offerId: string | null } {
  const [, code = '', offerId] = ADDRESS.exec(path) ?? []
  return {
    code: decoded(code).trim(),
    offerId: offerId === undefined ? null : decoded(offerId),
  }
}
