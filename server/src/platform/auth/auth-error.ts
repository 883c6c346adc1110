/**
 * What the authentication protocol can answer with, as its clients know it: code → HTTP status and
 * message. Source: the reference server's table of errors.
 */
const known = {
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'User is banned'],
  validation_failed: [400, 'The request is not valid'],
  bad_json: [400, 'Could not parse request body as JSON'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  not_found: [404, 'This call is not offered here'],
  request_entity_too_large: [413, 'The request is too large'],
  request_timeout: [503, 'The service is busy, try again'],
  unexpected_failure: [500, 'Unexpected failure, please check server logs for more information'],
} as const

export type AuthErrorCode = keyof typeof known

export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: AuthErrorCode
  readonly status: number

  constructor(code: AuthErrorCode, options: { message?: string; status?: number } = {}) {
    const [status, message] = known[code]
    super(options.message ?? message)
    this.code = code
    this.status = options.status ?? status
  }
}
