import { type Day, formatShortDay } from '@bancone/contract/dates'
import type { ErrorCode } from '@bancone/contract/errors'
import { type OfferRecord, offerState } from '@bancone/contract/offers'
import { ApiError } from '../../../lib/api.ts'
import { errorMessage } from '../../../lib/messages.ts'
import type { OfferField } from './offer-draft.ts'

/** The field that an error of the server is about. */
const fieldOf: Partial<Record<ErrorCode, OfferField>> = {
  'offers.price_above_list': 'offerPrice',
  'offers.ends_too_early': 'ends',
  'offers.unknown_category': 'category',
  'offers.wrong_code': 'code',
  'offers.image_missing': 'picture',
}

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
  const field = (code && fieldOf[code]) ?? null
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

/** What customers see of the offer now. */
export function savedText({ fields }: OfferRecord, today: Day): string {
  const state = offerState(fields, today)
  if (state === 'active') return 'I clienti la vedono già.'
  if (state === 'scheduled')
    return `I clienti la vedranno dal ${formatShortDay(fields.Data_Inizio)}.`
  return state === 'expired'
    ? 'È scaduta: i clienti non la vedono.'
    : 'È inattiva: i clienti non la vedono.'
}
