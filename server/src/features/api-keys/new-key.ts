import { createHash, randomBytes } from 'node:crypto'
import { API_KEY_PREFIX } from '@bancone/contract/api-keys'

/** Of 32 random bytes: nobody guesses one, and a plain hash of it is enough. */
const KEY_BYTES = 32

/** How much of a key is shown again, to tell one from another. */
const START_LENGTH = 10

export type NewKey = { key: string; start: string; hash: Buffer }

export function newKey(): NewKey {
  const key = API_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  return { key, start: key.slice(0, START_LENGTH), hash: keyHash(key) }
}

/** What is kept of a key. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
