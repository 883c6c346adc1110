import { createHash, randomBytes } from 'node:crypto'
import { API_KEY_PREFIX } from '@bancone/contract/api-keys'

/** 32 random bytes cannot be guessed, so a plain hash is enough. */
const KEY_BYTES = 32

/** Characters of a key that are shown later, to tell keys apart. */
const START_LENGTH = 10

export type NewKey = { key: string; start: string; hash: Buffer }

export function newKey(): NewKey {
  const key = API_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
  return { key, start: key.slice(0, START_LENGTH), hash: keyHash(key) }
}

/** The hash that is stored for a key. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
