import { readAddress } from './read-address.ts'

/** The address as it may be put in a link: http(s), or a path of our own. Null for anything else. */
export function webLink(address: string | null | undefined): string | null {
  const text = address?.trim()
  if (!text) return null
  if (/^\/(?![/\\])/.test(text)) return text
  const read = readAddress(text)
  return read?.protocol === 'https:' || read?.protocol === 'http:' ? read.href : null
}
