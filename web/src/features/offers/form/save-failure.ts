import type { ErrorCode } from '@bancone/contract/errors'
import { ApiError } from '../../../lib/api.ts'
import { errorMessage } from '../../../lib/messages.ts'
import type { OfferField } from './offer-draft.ts'
import { errorFields } from './offer-schema.ts'

/** Permanent errors: retrying later does not help. */
const lasting = new Set<ErrorCode>([
  'offers.limit_reached',
  'offers.too_many',
  'offers.not_found',
  'access.denied',
])

export type SaveFailure = {
  code: ErrorCode | null
  title: string
  reason: string
  /** The field to correct. */
  field: OfferField | null
}

export function saveFailure(error: unknown): SaveFailure {
  const code = error instanceof ApiError ? error.code : null
  const field = (code && errorFields[code]) ?? null
  const passes = field === null && (code === null || !lasting.has(code))
  return {
    code,
    title: passes
      ? "Impossibile salvare l'offerta. Riprova più tardi."
      : "Impossibile salvare l'offerta.",
    reason: errorMessage(error),
    field,
  }
}
