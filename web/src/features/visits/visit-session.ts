import { tabStorage } from '../../lib/browser-storage.ts'

const KEY = 'bancone-visit'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Id of the session of this tab. */
export function visitSession(): string {
  const kept = tabStorage.getItem(KEY)
  if (kept !== null && UUID.test(kept)) return kept
  const made = newId()
  tabStorage.setItem(KEY, made)
  return made
}

/** Not by `crypto.randomUUID`, which browsers offer only with TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  // Version and variant of the UUID.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
