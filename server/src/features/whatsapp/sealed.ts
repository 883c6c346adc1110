import { createHash } from 'node:crypto'
import type { Secrets } from '../../platform/secrets.ts'

const PURPOSE = 'whatsapp connections'

/** `text`: what customers and the pharmacy have written to each other. */
type SealedField = 'token' | 'pin' | 'text'

/** Encrypts what a connection keeps secret, and names the key, so that values of another APP_SECRET are recognized. */
export type Sealing = {
  keyId: string
  seal(pharmacyId: string, field: SealedField, plain: string): Buffer
  /** Undefined when the value was encrypted with another key. */
  open(
    pharmacyId: string,
    field: SealedField,
    sealed: Buffer | null,
    keyId: string | null,
  ): string | undefined
}

export function createSealing(secrets: Secrets): Sealing {
  const keyId = createHash('sha256').update(secrets.key(PURPOSE)).digest('hex').slice(0, 12)
  const context = (pharmacyId: string, field: string) => `${pharmacyId} ${field}`
  return {
    keyId,
    seal: (pharmacyId, field, plain) =>
      secrets.encrypt(PURPOSE, Buffer.from(plain), context(pharmacyId, field)),
    open(pharmacyId, field, sealed, sealedWith) {
      if (sealed === null || sealedWith !== keyId) return undefined
      return secrets.decrypt(PURPOSE, sealed, context(pharmacyId, field)).toString()
    },
  }
}
