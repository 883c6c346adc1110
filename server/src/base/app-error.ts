import { type ErrorCode, errorStatus } from '@bancone/contract/errors'

/** An error reported to the caller. Its code determines the HTTP status and the text. Any other error is a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined
  /** Replaces the default text of the code. */
  readonly text: string | undefined
  /** Values that the text names. */
  readonly details: Record<string, string | number> | undefined

  constructor(
    code: ErrorCode,
    options?: ErrorOptions & {
      retryAfter?: number
      text?: string
      details?: Record<string, string | number>
    },
  ) {
    super(code, options)
    this.code = code
    this.retryAfter = options?.retryAfter
    this.text = options?.text
    this.details = options?.details
    this.status = errorStatus(code)
  }
}
