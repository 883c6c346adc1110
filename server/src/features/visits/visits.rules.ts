import { MOST_VISIT_TEXT, type VisitHeaders } from '@bancone/contract/visits'

/** Whoever asks not to be followed, and browsers that load a page nobody has asked for yet. */
export function isUncounted(headers: VisitHeaders): boolean {
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return true
  return /prefetch|prerender|preview/i.test(`${headers['sec-purpose']} ${headers.purpose}`)
}

/** So much of a text as is kept, in whole letters, and only those that the database takes. */
export function keptText(text: string): string {
  const letters = Array.from(text.replaceAll(/\0|\p{Surrogate}/gu, ''))
  return letters.slice(0, MOST_VISIT_TEXT).join('')
}

/**
 * The page or the app that a visitor came from, without what was asked for there: words of a search, ids of a
 * campaign or of a person. Null where that is not known, or is no such address.
 */
export function keptReferrer(referrer: string | null): string | null {
  if (referrer === null || !URL.canParse(referrer)) return null
  const address = new URL(referrer)
  if (!FROM.includes(address.protocol)) return null
  for (const part of ['username', 'password', 'search', 'hash'] as const) address[part] = ''
  return keptText(address.href)
}

const FROM = ['http:', 'https:', 'android-app:']
