import { ApiError } from './api.ts'
import { textOfCode, unavailable, unforeseen, unreachable } from './common-texts.ts'

/** The Italian message for a failed call of the API. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return unforeseen
  // An unexpected error: with the request id it can be found in the log.
  if (error.code === 'internal' && error.requestId !== null)
    return `${unforeseen} Codice: ${error.requestId}`
  if (error.code === 'internal') return unforeseen
  if (error.code !== null) return textOfCode(error.code) ?? error.message
  if (error.status === 0) return unreachable
  return error.status >= 502 && error.status <= 504 ? unavailable : unforeseen
}
