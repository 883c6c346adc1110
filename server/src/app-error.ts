import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** An error a caller may know of: its code decides the HTTP status and the text. Anything else is a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number

  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.status = errorStatus[code]
  }
}
