import { tabStorage } from '../../lib/browser-storage.ts'
import { randomId } from '../../lib/random-id.ts'

const KEY = 'bancone-visit'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Id of the session of this tab. */
export function visitSession(): string {
  const kept = tabStorage.getItem(KEY)
  if (kept !== null && UUID.test(kept)) return kept
  const made = randomId()
  tabStorage.setItem(KEY, made)
  return made
}
