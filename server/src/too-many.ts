import type { ErrorCode } from '@bancone/contract/errors'
import { AppError } from './app-error.ts'
import { TooManyRequests } from './platform/rate-limits.ts'

/** For `catch`: who asks too often is told so by that code, and after how long to come back. */
export function tooManyAs(code: ErrorCode) {
  return (error: unknown): never => {
    if (!(error instanceof TooManyRequests)) throw error
    throw new AppError(code, { retryAfter: error.retryAfter })
  }
}
