declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** Keys and secrets of a text are base64url. */
  export function encrypt(
    plain: Buffer,
    how: { version: 'aes128gcm'; privateKey: ECDH; dh: string; salt: string; authSecret: string },
  ): Buffer

  /** @throws if it was not encrypted for this key and secret */
  export function decrypt(
    sealed: Buffer,
    how: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string },
  ): Buffer
}
