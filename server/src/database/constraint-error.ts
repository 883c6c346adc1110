import type { ErrorCode } from '@bancone/contract/errors'
import { AppError } from '../base/app-error.ts'
import { violatesConstraint } from './errors.ts'

/** For `.catch()`: converts the violation of one of the constraints into an AppError; rethrows other errors. */
export function rethrowViolationAs(code: ErrorCode, ...constraints: readonly string[]) {
  return (error: unknown): never => {
    if (!constraints.some((constraint) => violatesConstraint(error, constraint))) throw error
    throw new AppError(code, { cause: error })
  }
}
