import type { ErrorCode } from '@bancone/contract/errors'
import { AppError } from '../../base/app-error.ts'

/** The errors of the GoTrue protocol: code → HTTP status and message. Source: GoTrue's table of error codes. */
const known = {
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'User is banned'],
  validation_failed: [400, 'The request is not valid'],
  bad_json: [400, 'Could not parse request body as JSON'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  reauthentication_needed: [400, 'Password update requires reauthentication'],
  current_password_required: [400, 'Current password required when setting new password.'],
  current_password_invalid: [400, 'Current password is not correct'],
  bad_code_verifier: [400, 'code challenge does not match previously saved code verifier'],
  provider_disabled: [400, 'Unsupported provider: provider is not enabled'],
  invalid_request: [400, 'The request is not valid'],
  bad_oauth_callback: [400, 'The callback of the provider is not valid'],
  bad_oauth_state: [400, 'OAuth state not found or expired'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  access_denied: [403, 'The person did not agree'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  not_admin: [403, 'User not allowed'],
  insufficient_aal: [403, 'AAL2 session is required for this call'],
  otp_expired: [403, 'Token has expired or is invalid'],
  not_found: [404, 'This call is not offered here'],
  user_not_found: [404, 'User not found'],
  flow_state_not_found: [404, 'invalid flow state, no valid flow state found'],
  mfa_factor_not_found: [404, 'Factor not found'],
  provider_email_needs_verification: [
    422,
    'The provider does not say that the email address is verified',
  ],
  identity_already_exists: [422, 'Identity is already linked to another user'],
  identity_not_found: [422, 'Identity not found'],
  single_identity_not_deletable: [422, 'User must have at least 1 identity after unlinking'],
  mfa_challenge_expired: [422, 'MFA challenge has expired, verify against another challenge'],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  mfa_ip_address_mismatch: [422, 'Challenge and verify IP addresses mismatch'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_recovery_code_invalid: [422, 'Invalid recovery code entered'],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  mfa_webauthn_enroll_not_enabled: [422, 'MFA enroll is disabled for WebAuthn'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of enrolled factors reached'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  request_entity_too_large: [413, 'The request is too large'],
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  email_exists: [422, 'A user with this email address has already been registered'],
  flow_state_expired: [422, 'invalid flow state, flow state has expired'],
  mfa_totp_enroll_not_enabled: [422, 'MFA enroll is disabled for TOTP'],
  mfa_totp_verify_not_enabled: [422, 'MFA verification is disabled for TOTP'],
  phone_provider_disabled: [422, 'Phone logins are disabled'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  same_password: [422, 'New password should be different from the old password.'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  user_already_exists: [422, 'A user with this id already exists'],
  weak_password: [422, 'The password is too weak'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  over_email_send_rate_limit: [
    429,
    'For security purposes, you can only request this after a while.',
  ],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  unexpected_failure: [500, 'Unexpected failure, please check server logs for more information'],
  request_timeout: [503, 'The service is busy, try again'],
} as const

export type AuthErrorCode = keyof typeof known

/** Why a password was refused, in GoTrue's terms. */
export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

type Options = {
  message?: string
  status?: number
  /** Seconds after which the same call may be made again. */
  retryAfter?: number
  weakPassword?: readonly WeakPasswordReason[]
}

export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfter: number | undefined
  readonly weakPassword: readonly WeakPasswordReason[] | undefined

  constructor(code: AuthErrorCode, options: Options = {}) {
    const [status, message] = known[code]
    super(options.message ?? message)
    this.code = code
    this.status = options.status ?? status
    this.retryAfter = options.retryAfter
    this.weakPassword = options.weakPassword
  }
}

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
