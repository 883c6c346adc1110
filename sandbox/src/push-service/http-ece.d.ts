declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  /** @throws if it was not encrypted for this key and secret, which is base64url */
  export function decrypt(
    sealed: Buffer,
    how: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string },
  ): Buffer
}
