import type { Session } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authServer } from '../auth-server.ts'
import { enrol, levelOf, methodsOf, movingClock, newEnrolled } from './authenticator.ts'
import { type Client, newPerson, ok, raw, sessionMissing, signIn } from './clients.ts'
import { mailsTo } from './mails.ts'
import { textLike } from './matchers.ts'

/** An extension of the protocol: the tests call it themselves, and pass the tokens to the unmodified client. */

const clock = movingClock()

const server = await authServer({ clock })

const Made = z.object({ codes: z.array(z.string()) })
const Lifted = z.object({ access_token: z.string(), refresh_token: z.string() })

function call(method: string, path: string, session: Session, body?: object) {
  const options = { token: session.access_token, ...(body && { body }) }
  return raw(server, method, `/factors/recovery-codes${path}`, options)
}

async function codesFor(session: Session): Promise<string[]> {
  const { status, json } = await call('POST', '/regenerate', session, {})
  expect(status).toBe(200)
  return Made.parse(json).codes
}

const verify = (session: Session, code: string) => call('POST', '/verify', session, { code })

async function sessionOf(client: Client): Promise<Session> {
  const { session } = await ok(client.getSession())
  if (!session) throw new Error('no session')
  return session
}

/** Signs in with the password and a recovery code. */
async function signInWithCode(email: string, code: string) {
  const { client, session } = await signIn(server, email)
  const { status, json } = await verify(session, code)
  expect([status, json]).toMatchObject([200, { token_type: 'bearer', expires_in: 3600 }])
  await ok(client.setSession(Lifted.parse(json)))
  return { client, before: session }
}

describe('making them', () => {
  it('gives ten that are easy to copy, once, and says how many there are', async () => {
    const { session } = await newEnrolled(server, clock)
    expect((await call('GET', '', session)).json).toEqual({
      total: 0,
      remaining: 0,
      created_at: null,
    })
    const codes = await codesFor(session)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)
    const { status, json } = await call('GET', '', session)
    expect([status, json]).toEqual([
      200,
      { total: 10, remaining: 10, created_at: textLike(/^\d{4}-.*Z$/) },
    ])
    expect(JSON.stringify(json)).not.toContain(codes[0])
  })

  it('needs a second factor, and that it was shown', async () => {
    const { session } = await newPerson(server)
    const without = await call('POST', '/regenerate', session, {})
    expect([without.status, without.json]).toMatchObject([
      404,
      { error_code: 'mfa_factor_not_found' },
    ])
    const { email } = await newEnrolled(server, clock)
    const low = await signIn(server, email)
    const refused = await call('POST', '/regenerate', low.session, {})
    expect([refused.status, refused.json]).toMatchObject([403, { error_code: 'insufficient_aal' }])
  })
})

describe('using one', () => {
  it('lifts the session like a code of the app, and is told by mail', async () => {
    const { session, email } = await newEnrolled(server, clock)
    const [code = ''] = await codesFor(session)
    const { client } = await signInWithCode(email, code)
    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    expect(await methodsOf(client)).toEqual(['mfa/recovery_code', 'password'])
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    const { json } = await call('GET', '', await sessionOf(client))
    expect(json).toMatchObject({ total: 10, remaining: 9 })
    const mail = (await mailsTo(server, email)).at(-1)
    expect(mail?.subject).toBe('Accesso con un codice di recupero')
    expect(mail?.text).toContain('Ti restano 9 codici di recupero.')
    expect(mail?.text).not.toContain(code)
  })

  it('works once', async () => {
    const { session, email } = await newEnrolled(server, clock)
    const [code = '', other = ''] = await codesFor(session)
    // As copied from paper.
    await signInWithCode(email, ` ${code.replace('-', ' - ').toUpperCase()} `)
    const again = await signIn(server, email)
    const { status, json } = await verify(again.session, code)
    expect([status, json]).toMatchObject([422, { error_code: 'mfa_recovery_code_invalid' }])
    // New codes replace the old ones.
    const [fresh = ''] = await codesFor(session)
    expect((await verify(again.session, other)).status).toBe(422)
    expect((await verify(again.session, fresh)).status).toBe(200)
  })

  it('ends the other sessions that have shown nothing', async () => {
    const { session, email } = await newEnrolled(server, clock)
    const [code = ''] = await codesFor(session)
    const low = await signIn(server, email)
    const { before } = await signInWithCode(email, code)
    await sessionMissing(low.client.getUser())
    const refused = await raw(server, 'POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: before.refresh_token },
    })
    expect(refused.status).toBe(503)
  })

  it('leads to a new telephone: the old app goes, and with it the codes', async () => {
    const { session, email, factorId } = await newEnrolled(server, clock)
    const [code = '', other = ''] = await codesFor(session)
    const { client } = await signInWithCode(email, code)
    await ok(client.mfa.unenroll({ factorId }))
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal1', 'aal1'])
    expect((await call('GET', '', await sessionOf(client))).json).toMatchObject({ total: 0 })
    await enrol(client, clock)
    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    const low = await signIn(server, email)
    expect((await verify(low.session, other)).status).toBe(422)
  })

  it('of another user opens nothing', async () => {
    const theirs = await newEnrolled(server, clock)
    const [code = ''] = await codesFor(theirs.session)
    const { email } = await newEnrolled(server, clock)
    const own = await signIn(server, email)
    expect((await verify(own.session, code)).status).toBe(422)
    const without = await newPerson(server)
    expect((await verify(without.session, code)).status).toBe(422)
    expect((await call('GET', '', theirs.session)).json).toMatchObject({ remaining: 10 })
  })
})
