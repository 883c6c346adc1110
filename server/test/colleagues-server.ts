import { Role } from '@bancone/contract/access'
import { Colleague } from '@bancone/contract/colleagues'
import { ErrorBody } from '@bancone/contract/errors'
import { expect } from 'vitest'
import { z } from 'zod'
import type { AuthServer } from './auth-server.ts'
import { mailsTo, tokenOf } from './conformance/mails.ts'
import { untilBlocked } from './lock-waits.ts'
import type { TestServer } from './server.ts'

export type Headers = { authorization: string }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

type Invitee = { name: string; email: string; role: Role }

const Session = z.object({ access_token: z.string(), refresh_token: z.string() })

export const newPassword = 'una password per Anna'

let made = 0

/** An unused mail address. */
export function newAddress(name = 'collega'): string {
  made += 1
  return `${name}-${made}@example.it`
}

/** A new pharmacy, with its own account signed in. */
export async function newPharmacy(server: Pick<TestServer, 'addPharmacy' | 'signIn'>) {
  const email = newAddress('farmacia')
  const code = `PHARM-${made}`
  const id = await server.addPharmacy({ email, code, features: ['offers'] })
  return { id, email, name: `Farmacia ${code}`, owner: await server.signIn(email) }
}

/** Calls `/api/colleagues`. */
export async function ask(
  { app }: Pick<TestServer, 'app'>,
  headers: Headers,
  method: Method,
  path = '',
  payload?: object,
) {
  const url = `/api/colleagues${path}`
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: reply.statusCode, json: reply.json<unknown>(), headers: reply.headers }
}

type Asked = Parameters<typeof ask>

/** Status and code of an error response. */
export async function refusal(...asked: Asked): Promise<[number, string]> {
  const { status, json } = await ask(...asked)
  return [status, ErrorBody.parse(json).code]
}

/** The colleague in a response. */
export async function colleague(...asked: Asked): Promise<Colleague> {
  const { status, json } = await ask(...asked)
  expect([status < 300, json]).toEqual([true, json])
  return Colleague.parse(json)
}

export async function list(server: Pick<TestServer, 'app'>, headers: Headers) {
  const { json } = await ask(server, headers, 'GET')
  return z.object({ colleagues: z.array(Colleague) }).parse(json).colleagues
}

export function invite(
  server: Pick<TestServer, 'app'>,
  headers: Headers,
  invitee: Partial<Invitee> = {},
): Promise<Colleague> {
  const whole = { name: 'Anna Rossi', email: newAddress(), role: 'staff', ...invitee }
  return colleague(server, headers, 'POST', '', whole)
}

/** Follows the newest mail to that address and chooses a password. */
export async function accept(server: AuthServer, email: string, password = newPassword) {
  const mail = (await mailsTo(server, email)).at(-1)
  if (!mail) throw new Error(`no mail to ${email}`)
  const payload = { token_hash: tokenOf(mail), type: 'invite' }
  const verified = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
  const { access_token: access } = Session.parse(verified.json())
  const headers = { authorization: `Bearer ${access}` }
  const chosen = await setOwn(server, headers, { password })
  expect(chosen.statusCode, chosen.body).toBe(200)
  return headers
}

/** Enqueues an invitation mail, whatever the state of the user is. */
export async function enqueueInvitation(
  { database }: Pick<TestServer, 'database'>,
  userId: string,
) {
  const payload = { kind: 'invite', to: { userId }, askedAt: Date.now() }
  const rest = { redirectTo: 'http://localhost:3000', codeChallenge: null, create: null }
  const job = 'select graphile_worker.add_job($1, $2)'
  await database.pool.query(job, ['auth.mail', { ...payload, ...rest }])
}

/** Changes the signed-in user's own account. */
export function setOwn({ app }: Pick<TestServer, 'app'>, headers: Headers, payload: object) {
  return app.inject({ method: 'PUT', url: '/auth/v1/user', headers, payload })
}

/** A signed-in colleague of that pharmacy, as if an invitation had been accepted. */
export async function newColleague(
  server: Pick<TestServer, 'addColleague' | 'database' | 'signIn'>,
  pharmacy: { id: string },
  { name = 'Anna Rossi', email = newAddress(), role = 'staff' }: Partial<Invitee> = {},
) {
  const userId = await server.addColleague({ email, pharmacyId: pharmacy.id, role, name })
  const { rows } = await server.database.pool.query<{ id: string }>(
    `with named as (
       update auth_users set user_metadata = jsonb_build_object('full_name', $2::text) where id = $1
     )
     select id from pharmacy_members where user_id = $1`,
    [userId, name],
  )
  return { id: z.uuid().parse(rows[0]?.id), userId, email, headers: await server.signIn(email) }
}

/** The user's own membership; the error code when access is refused. */
export async function ownMembership({ app }: Pick<TestServer, 'app'>, headers: Headers) {
  const reply = await app.inject({ url: '/api/pharmacy', headers })
  if (reply.statusCode !== 200) return ErrorBody.parse(reply.json()).code
  const Own = z.object({ id: z.uuid(), role: Role, personName: z.string().nullable() })
  return Own.parse(reply.json())
}

/** The id of the user behind a membership. */
export async function userOf({ database }: Pick<TestServer, 'database'>, memberId: string) {
  const { rows } = await database.pool.query<{ user_id: string }>(
    'select user_id from pharmacy_members where id = $1',
    [memberId],
  )
  return z.uuid().parse(rows[0]?.user_id)
}

/**
 * Makes a call while another transaction holds the lock of the pharmacy and changes it before its commit.
 *
 * @param waiting how many calls wait at once
 */
export async function callWhileLocked<T>(
  { database: { pool } }: Pick<TestServer, 'database'>,
  pharmacyId: string,
  call: () => Promise<T>,
  meanwhile: (query: (text: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>,
  waiting = 1,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select from pharmacies where id = $1 for no key update', [pharmacyId])
    const asked = call()
    await untilBlocked(pool, waiting)
    await meanwhile((text, values) => client.query(text, values))
    await client.query('commit')
    return await asked
  } finally {
    // Closes the connection, with a transaction that a failure may have left open.
    client.release(true)
  }
}

export const inOrder = (statuses: readonly number[]) => statuses.toSorted((a, b) => a - b)
