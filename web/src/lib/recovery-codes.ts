import { z } from 'zod'
import { callAuth } from './auth-call.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'
import { GivenSession } from './stored-session.ts'

const PATH = '/factors/recovery-codes'

const Count = z.object({ total: z.number(), remaining: z.number() })
/** How many recovery codes somebody has: made, and not used yet. */
export type RecoveryCodeCount = z.infer<typeof Count>

const Made = z.object({ codes: z.array(z.string()) })

async function token(area: Area): Promise<string> {
  // A session that is gone is refused like one that never was.
  return (await sessions[area].accessToken()) ?? ''
}

/** @throws AuthError */
export async function countRecoveryCodes(area: Area): Promise<RecoveryCodeCount> {
  return Count.parse(await callAuth(PATH, { method: 'GET', token: await token(area) }))
}

/** New ones: those before are worth nothing any more. @throws AuthError */
export async function makeRecoveryCodes(area: Area): Promise<string[]> {
  const call = { method: 'POST', token: await token(area) } as const
  return Made.parse(await callAuth(`${PATH}/regenerate`, call)).codes
}

/** Shows one in the place of the second factor: the session is a whole one then. @throws AuthError */
export async function spendRecoveryCode(area: Area, code: string): Promise<void> {
  const call = { method: 'POST', token: await token(area), body: { code } } as const
  sessions[area].adopt(GivenSession.parse(await callAuth(`${PATH}/verify`, call)))
}
