import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** An error a caller may know of: its code decides the HTTP status and the text. Anything else is a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  /** Seconds after which the same may be tried again. */
  readonly retryAfter: number | undefined
  /** What is told instead of the usual text of the code. */
  readonly text: string | undefined

  constructor(code: ErrorCode, options?: ErrorOptions & { retryAfter?: number; text?: string }) {
    super(code, options)
    this.code = code
    this.retryAfter = options?.retryAfter
    this.text = options?.text
    this.status = errorStatus[code]
  }
}
