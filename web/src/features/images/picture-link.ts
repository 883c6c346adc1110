import { readAddress } from '../../lib/read-address.ts'

/** What was pasted or typed, as the address of a picture; null when it is none. */
export function pictureLink(text: string): string | null {
  const typed = text.trim()
  if (/\s/.test(typed) || !/^https?:\/\/./i.test(typed) || !readAddress(typed)) return null
  return typed.length <= 2_000 ? typed : null
}
