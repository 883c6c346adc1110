import { MAX_VISIT_TEXT_LENGTH, type VisitHeaders } from '@bancone/contract/visits'

/** Visitors who opt out of tracking, and prefetches by browsers. */
export function isUncounted(headers: VisitHeaders): boolean {
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return true
  return /prefetch|prerender|preview/i.test(`${headers['sec-purpose']} ${headers.purpose}`)
}

/** Truncates a text to the stored length in whole characters, without those that the database rejects. */
export function storableText(text: string): string {
  const letters = Array.from(text.replaceAll(/\0|\p{Surrogate}/gu, ''))
  return letters.slice(0, MAX_VISIT_TEXT_LENGTH).join('')
}

/**
 * Origin and path of the referring page or app, without its query, which may hold search words or ids of campaigns or
 * persons. Null when it is unknown or not a valid URL.
 */
export function storableReferrer(referrer: string | null): string | null {
  if (referrer === null || !URL.canParse(referrer)) return null
  const address = new URL(referrer)
  if (!FROM.includes(address.protocol)) return null
  for (const part of ['username', 'password', 'search', 'hash'] as const) address[part] = ''
  return storableText(address.href)
}

const FROM = ['http:', 'https:', 'android-app:']
