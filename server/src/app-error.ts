import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** An error a caller may know of: its code decides the HTTP status and the text. Anything else is a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  /** Seconds after which the same may be tried again. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options?: ErrorOptions & { retryAfter?: number }) {
    super(code, options)
    this.code = code
    this.retryAfter = options?.retryAfter
    this.status = errorStatus[code]
  }
}
