import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Keys derived from APP_SECRET (HKDF-SHA-256), one for each purpose.
 */
export type Secrets = {
  /** The key of a purpose: 32 bytes. */
  key(purpose: string): Buffer
  /**
   * Encrypts with AES-256-GCM. The result is nonce (12 bytes), tag (16 bytes), ciphertext.
   *
   * @param context additional authenticated data, such as the owner's id: decryption needs the same one
   */
  encrypt(purpose: string, plain: Buffer, context?: string): Buffer
  /** @throws if the bytes were not encrypted with the same secret, purpose and context */
  decrypt(purpose: string, sealed: Buffer, context?: string): Buffer
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
    encrypt(purpose, plain, context = '') {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key(purpose), nonce)
      cipher.setAAD(Buffer.from(context))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(purpose, sealed, context = '') {
      const decipher = createDecipheriv('aes-256-gcm', key(purpose), sealed.subarray(0, 12))
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
    },
  }
}
