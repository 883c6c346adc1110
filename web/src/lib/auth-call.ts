import { AuthApiError, AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js'
import { z } from 'zod'
import { authFetch, authUrl } from './auth-fetch.ts'

const Text = z.string().optional().catch(undefined)
/** The auth client uses `msg` before `message`. */
const Refusal = z.object({ code: Text, msg: Text, message: Text }).catch({})

type AuthCall = { method: 'GET' | 'POST'; token: string; body?: Record<string, unknown> }

/**
 * Calls an endpoint of the authentication service that the auth client does not support.
 *
 * @throws {AuthError} the same errors as the client's own calls
 */
export async function callAuth(path: string, { method, token, body }: AuthCall): Promise<unknown> {
  const headers = new Headers({
    authorization: `Bearer ${token}`,
    'x-supabase-api-version': '2024-01-01',
  })
  if (body) headers.set('content-type', 'application/json')
  const sent = body ? { body: JSON.stringify(body) } : {}
  const response = await authFetch(authUrl + path, { method, headers, ...sent }).catch(() => {
    throw new AuthRetryableFetchError('The service was not reached', 0)
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  if (response.status >= 500) throw new AuthRetryableFetchError('Try again', response.status)
  const { code, msg, message } = Refusal.parse(answer)
  if (code === 'session_not_found') throw new AuthSessionMissingError()
  throw new AuthApiError(msg ?? message ?? '', response.status, code)
}
