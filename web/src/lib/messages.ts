import type { ErrorCode } from '@bancone/contract/errors'
import { fixedErrors } from '@bancone/contract/fixed-errors'
import { ApiError } from './api.ts'
import { unavailable, unforeseen, unreachable } from './common-texts.ts'

const fixed: Partial<Record<ErrorCode, { shown: string }>> = fixedErrors

/** The Italian message for a failed call of the API. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return unforeseen
  // An unexpected error: with the request id it can be found in the log.
  if (error.code === 'internal' && error.requestId !== null)
    return `${unforeseen} Codice: ${error.requestId}`
  if (error.code === 'internal') return unforeseen
  if (error.code !== null) return fixed[error.code]?.shown ?? error.text
  if (error.status === 0) return unreachable
  return error.status >= 502 && error.status <= 504 ? unavailable : unforeseen
}
