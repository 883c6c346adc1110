import type { ErrorCode } from '@bancone/contract/errors'
import { AppError } from '../../base/app-error.ts'
import { AuthError, type AuthErrorCode } from './auth-error.ts'

const codes: Partial<Record<AuthErrorCode, ErrorCode>> = {
  email_exists: 'pharmacies.email_taken',
  weak_password: 'pharmacies.weak_password',
  validation_failed: 'pharmacies.weak_password',
  reauthentication_needed: 'session.reauthentication_needed',
  user_not_found: 'pharmacies.not_found',
  not_admin: 'access.denied',
}

/** For `.catch()`: converts an AuthError about the account of a pharmacy into an AppError; rethrows other errors. */
export function rethrowAccountError(cause: unknown): never {
  const code = cause instanceof AuthError ? codes[cause.code] : undefined
  throw code ? new AppError(code, { cause }) : cause
}
