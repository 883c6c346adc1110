import { createHash } from 'node:crypto'
import type { Secrets } from './secrets.ts'

/** Encrypts stored values, and names the key, so that values of another APP_SECRET are recognized. */
export type Sealing = {
  keyId: string
  /** @param context whose value it is, and which one: it opens only for the same */
  seal(context: string, plain: Buffer): Buffer
  /** Undefined when there is no value, or it was encrypted with another key. */
  open(context: string, sealed: Buffer | null, keyId: string | null): Buffer | undefined
}

/** @param purpose names the key */
export function createSealing(secrets: Secrets, purpose: string): Sealing {
  const keyId = createHash('sha256').update(secrets.key(purpose)).digest('hex').slice(0, 12)
  return {
    keyId,
    seal: (context, plain) => secrets.encrypt(purpose, plain, context),
    open: (context, sealed, sealedWith) =>
      sealed === null || sealedWith !== keyId
        ? undefined
        : secrets.decrypt(purpose, sealed, context),
  }
}
