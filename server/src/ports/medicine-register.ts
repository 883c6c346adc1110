import type { Medicine } from '@bancone/contract/medicines'

/** The public register of medicines. */
export type MedicineRegister = {
  /** All packs, as a stream: there are some 160,000. @throws MedicineRegisterError, also while it is read */
  packs(signal?: AbortSignal): AsyncIterable<Medicine>
}

/**
 * - `unreachable`: no response, or another status than 200; may be transient
 * - `too_large`: more bytes than the limit
 * - `malformed`: not the format of the register
 */
export type MedicineRegisterErrorKind = 'unreachable' | 'too_large' | 'malformed'

/** The only error of the register. */
export class MedicineRegisterError extends Error {
  override readonly name = 'MedicineRegisterError'
  readonly kind: MedicineRegisterErrorKind

  constructor(kind: MedicineRegisterErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
