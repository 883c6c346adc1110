import { createSealing as createSealingOf } from '../../platform/sealing.ts'
import type { Secrets } from '../../platform/secrets.ts'

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
  const { keyId, seal, open } = createSealingOf(secrets, 'whatsapp connections')
  return {
    keyId,
    seal: (pharmacyId, field, plain) => seal(`${pharmacyId} ${field}`, Buffer.from(plain)),
    open: (pharmacyId, field, sealed, sealedWith) =>
      open(`${pharmacyId} ${field}`, sealed, sealedWith)?.toString(),
  }
}
