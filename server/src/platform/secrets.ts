import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Keys for single purposes, all derived from APP_SECRET (HKDF-SHA-256), so that one never serves two.
 */
export type Secrets = {
  /** 32 bytes that only this purpose has. */
  key(purpose: string): Buffer
  /**
   * AES-256-GCM: nonce (12 bytes), tag (16 bytes), ciphertext.
   *
   * @param of whose it is: put where it is somebody else's it is worth nothing
   */
  encrypt(purpose: string, plain: Buffer, of?: string): Buffer
  /** @throws if the bytes were not encrypted with this secret, for this purpose and of the same */
  decrypt(purpose: string, sealed: Buffer, of?: string): Buffer
}

export function createSecrets(appSecret: string): Secrets {
  const known = new Map<string, Buffer>()
  const key = (purpose: string) => {
    let bytes = known.get(purpose)
    if (!bytes) {
      bytes = Buffer.from(hkdfSync('sha256', appSecret, 'bancone', purpose, 32))
      known.set(purpose, bytes)
    }
    return bytes
  }
  return {
    key,
    encrypt(purpose, plain, of = '') {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key(purpose), nonce)
      cipher.setAAD(Buffer.from(of))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(purpose, sealed, of = '') {
      const decipher = createDecipheriv('aes-256-gcm', key(purpose), sealed.subarray(0, 12))
      decipher.setAAD(Buffer.from(of))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
    },
  }
}
