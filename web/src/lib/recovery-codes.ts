import { AuthApiError, AuthRetryableFetchError, AuthSessionMissingError } from '@supabase/auth-js'
import { z } from 'zod/mini'
import { authFetch, authUrl } from './auth-fetch.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'
import { AccessTokenResponse } from './stored-session.ts'

const PATH = '/factors/recovery-codes'

const Count = z.object({ total: z.number(), remaining: z.number() })
/** How many recovery codes the user has: in total, and not used yet. */
export type RecoveryCodeCount = z.infer<typeof Count>

const RegeneratedCodes = z.object({ codes: z.array(z.string()) })

/** @throws AuthError */
export async function countRecoveryCodes(area: Area): Promise<RecoveryCodeCount> {
  return Count.parse(await callAuth(area, PATH, { method: 'GET' }))
}

/** Replaces all recovery codes with new ones. @throws AuthError */
export async function regenerateRecoveryCodes(area: Area): Promise<string[]> {
  const answer = await callAuth(area, `${PATH}/regenerate`, { method: 'POST' })
  return RegeneratedCodes.parse(answer).codes
}

/** Verifies a recovery code instead of a TOTP code; the session becomes AAL2. @throws AuthError */
export async function verifyRecoveryCode(area: Area, code: string): Promise<void> {
  const answer = await callAuth(area, `${PATH}/verify`, { method: 'POST', body: { code } })
  sessions[area].setSession(AccessTokenResponse.parse(answer))
}

const Text = z.catch(z.optional(z.string()), undefined)
/** The auth client uses `msg` before `message`. */
const Refusal = z.catch(z.object({ code: Text, msg: Text, message: Text }), {})

type AuthCall = { method: 'GET' | 'POST'; body?: Record<string, unknown> }

/**
 * Calls an endpoint of the authentication service that the auth client does not support.
 *
 * @throws {AuthError} the same errors as the client's own calls
 */
async function callAuth(area: Area, path: string, { method, body }: AuthCall): Promise<unknown> {
  // Without a session the request fails in the same way as with an invalid one.
  const token = (await sessions[area].accessToken()) ?? ''
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
