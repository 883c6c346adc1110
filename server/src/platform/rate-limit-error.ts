import type { ErrorCode } from '@bancone/contract/errors'
import { AppError } from '../base/app-error.ts'
import { TooManyRequests } from './rate-limits.ts'

/** For `.catch()`: converts TooManyRequests into an AppError with `code` and `retryAfter`; rethrows other errors. */
export function rethrowRateLimitAs(code: ErrorCode) {
  return (error: unknown): never => {
    if (!(error instanceof TooManyRequests)) throw error
    throw new AppError(code, { retryAfter: error.retryAfter })
  }
}
