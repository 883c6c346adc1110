import { z } from 'zod'
import { callAuth } from './auth-call.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'
import { AccessTokenResponse } from './stored-session.ts'

const PATH = '/factors/recovery-codes'

const Count = z.object({ total: z.number(), remaining: z.number() })
/** How many recovery codes the user has: in total, and not used yet. */
export type RecoveryCodeCount = z.infer<typeof Count>

const RegeneratedCodes = z.object({ codes: z.array(z.string()) })

async function token(area: Area): Promise<string> {
  // Without a session the request fails in the same way as with an invalid one.
  return (await sessions[area].accessToken()) ?? ''
}

/** @throws AuthError */
export async function countRecoveryCodes(area: Area): Promise<RecoveryCodeCount> {
  return Count.parse(await callAuth(PATH, { method: 'GET', token: await token(area) }))
}

/** Replaces all recovery codes with new ones. @throws AuthError */
export async function regenerateRecoveryCodes(area: Area): Promise<string[]> {
  const call = { method: 'POST', token: await token(area) } as const
  return RegeneratedCodes.parse(await callAuth(`${PATH}/regenerate`, call)).codes
}

/** Verifies a recovery code instead of a TOTP code; the session becomes AAL2. @throws AuthError */
export async function verifyRecoveryCode(area: Area, code: string): Promise<void> {
  const call = { method: 'POST', token: await token(area), body: { code } } as const
  sessions[area].setSession(AccessTokenResponse.parse(await callAuth(`${PATH}/verify`, call)))
}
