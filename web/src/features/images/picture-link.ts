import { parseUrl } from '../../lib/parse-url.ts'

/** Parses pasted or typed text as the URL of a picture; null when it is none. */
export function pictureLink(text: string): string | null {
  const typed = text.trim()
  if (/\s/.test(typed) || !/^https?:\/\/./i.test(typed) || !parseUrl(typed)) return null
  return typed.length <= 2_000 ? typed : null
}
