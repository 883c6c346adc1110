import type { Medicine } from '@bancone/contract/medicines'
import { KindError } from './kind-error.ts'

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
export class MedicineRegisterError extends KindError<MedicineRegisterErrorKind> {
  override readonly name = 'MedicineRegisterError'
}
