import { createHash, randomBytes } from 'node:crypto'

/** The length of a token, which cannot be guessed: a plain hash of it is enough. */
const TOKEN_BYTES = 16

/** A random token of a link, base64url, and the hash that is stored for it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: tokenHash(token) }
}

/** The hash that is stored for a token (SHA-256). */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
