import { parseUrl } from './parse-url.ts'

/** The address if it is safe as an `href`: http(s), or a path of this application; otherwise null. */
export function webLink(address: string | null | undefined): string | null {
  const text = address?.trim()
  if (!text) return null
  if (/^\/(?![/\\])/.test(text)) return text
  const read = parseUrl(text)
  return read?.protocol === 'https:' || read?.protocol === 'http:' ? read.href : null
}
