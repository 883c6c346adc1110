import { decodeJwt } from 'jose'
import { z } from 'zod'
import { loadSigningKeys } from '../src/platform/auth/signing-keys.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import { systemClock } from '../src/ports/clock.ts'
import type { TestDatabase } from './database.ts'
import { testSecret } from './server.ts'

const Claims = z.object({ sub: z.string(), session_id: z.string() })

type Caller = { authorization: string }

export function claimsOf({ authorization }: Caller): z.infer<typeof Claims> {
  return Claims.parse(decodeJwt(authorization.replace('Bearer ', '')))
}

/** Gives the user a verified factor with an unusable secret. @returns the factor's id */
export async function addFactor({ pool }: TestDatabase, userId: string): Promise<string> {
  // In two steps, like an enrolment.
  const { rows } = await pool.query<{ id: string }>(
    `insert into auth_factors (user_id, secret) values ($1, '\\x00') returning id`,
    [userId],
  )
  const id = rows[0]?.id ?? ''
  await pool.query("update auth_factors set status = 'verified' where id = $1", [id])
  return id
}

/** Elevates the caller's session to aal2, and replaces the caller's token. */
export async function elevateSession({ db, pool }: TestDatabase, caller: Caller): Promise<void> {
  const { sub, session_id } = claimsOf(caller)
  await pool.query(
    `update auth_sessions set aal = 'aal2', factor_id = (
      select id from auth_factors where user_id = $2 and status = 'verified' limit 1
    ) where id = $1`,
    [session_id, sub],
  )
  const claims = decodeJwt(caller.authorization.replace('Bearer ', ''))
  const { iss: issuer = '' } = claims
  const told = { issuer, audience: 'authenticated' }
  const keys = await loadSigningKeys(db, createSecrets(testSecret), told, systemClock)
  caller.authorization = `Bearer ${await keys.sign({ ...claims, aal: 'aal2' })}`
}
