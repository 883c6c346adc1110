import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { appOf, movingClock } from '../conformance/authenticator.ts'
import { testAuth, testServer } from '../server.ts'
import { bearer, claimsOf, type Tokens, type WithFactors, withFactors } from './enrolled.ts'
import { expectRefused } from './replies.ts'

/** Pitfall 12: the ways around a second factor. */

const plenty = { points: 100_000, seconds: 60 }
const clock = movingClock()
let server: AuthServer
let at: WithFactors

beforeAll(async () => {
  server = await authServer({
    clock,
    limits: { ...noLimits, 'login-pair': plenty, 'login-pair-hour': plenty },
  })
  at = withFactors(server, clock)
})

const insufficient = { error_code: 'insufficient_aal' }

describe('with the password alone', () => {
  it.each([
    ['password', { password: 'una frase tutta nuova' }],
    ['address', { email: 'altrove@example.it' }],
    ['name under which others see what was done', { data: { full_name: 'Un altro' } }],
    ['password beside other things', { data: { a: 1 }, password: 'una frase tutta nuova' }],
  ])('the %s is not changed', async (_what, change) => {
    const { email } = await at.enrolled()
    const low = await at.login(email)
    const reply = await at.call('PUT', '/user', bearer(low), change)
    expectRefused(reply, 401, 'insufficient_aal')
    await at.login(email)
  })

  it.each(['global', 'others'] as const)(
    'a session that has shown the second factor is not ended, %s',
    async (scope) => {
      const { email, after } = await at.enrolled()
      const [thief, other] = [await at.login(email), await at.login(email)]
      const path = `/logout?scope=${scope}`
      expect((await at.call('POST', path, bearer(thief), {})).statusCode).toBe(204)
      const isIn = async (tokens: Tokens) =>
        (await at.call('GET', '/user', bearer(tokens))).statusCode === 200
      expect(await isIn(after)).toBe(true)
      expect(await isIn(other)).toBe(false)
      expect(await isIn(thief)).toBe(scope === 'others')
      // A session at aal2 signs out all others.
      const low = await at.login(email)
      expect((await at.call('POST', '/logout?scope=global', bearer(after), {})).statusCode).toBe(
        204,
      )
      for (const tokens of [low, after]) expect(await isIn(tokens)).toBe(false)
    },
  )

  it('an administrator who must have a second factor can do nothing but enrol', async () => {
    const required = { ...testAuth, adminFactor: 'required' } as const
    const strict = await testServer({ clock, auth: required })
    const there = withFactors(strict, clock)
    const email = 'severo@example.it'
    await strict.addAdministrator({ email })
    const low = bearer(await there.login(email))
    const refused = await there.call('GET', '/admin/users', low)
    expectRefused(refused, 403, 'insufficient_aal')
    const { id, totp } = await there.begin(low)
    const verified = await there.verify(low, id, appOf(totp.secret, clock).nextCode())
    const high = bearer(verified.json<Tokens>())
    expect((await there.call('GET', '/admin/users', high)).statusCode).toBe(200)
    // Without it the session stays at aal1.
    expect((await there.call('DELETE', `/factors/${id}`, high)).statusCode).toBe(200)
    expect((await there.call('GET', '/admin/users', high)).json()).toMatchObject(insufficient)
  })

  it('a factor begun before the owner had one is never verified', async () => {
    const email = 'primo@example.it'
    await server.addUser(email)
    const thief = await at.login(email)
    const theirs = await at.begin(bearer(thief))
    const theirApp = appOf(theirs.totp.secret, clock)
    const challengeId = await at.challenge(bearer(thief), theirs.id)

    const owner = await at.login(email)
    const own = await at.begin(bearer(owner))
    const app = appOf(own.totp.secret, clock)
    expect((await at.verify(bearer(owner), own.id, app.nextCode())).statusCode).toBe(200)

    const body = { challenge_id: challengeId, code: theirApp.codeIn(0) }
    for (const headers of [bearer(thief), bearer(await at.login(email))]) {
      const reply = await at.call('POST', `/factors/${theirs.id}/verify`, headers, body)
      expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    }
  })

  it('a factor that is being added is not verified from another session', async () => {
    const { email, after } = await at.enrolled()
    const { id, totp } = await at.begin(bearer(after))
    const low = bearer(await at.login(email))
    const challengeId = await at.challenge(bearer(after), id)
    expect((await at.call('POST', `/factors/${id}/challenge`, low, {})).json()).toMatchObject(
      insufficient,
    )
    const body = { challenge_id: challengeId, code: appOf(totp.secret, clock).codeIn(0) }
    const reply = await at.call('POST', `/factors/${id}/verify`, low, body)
    expectRefused(reply, 403, 'insufficient_aal')
  })
})

describe('with the mailbox too', () => {
  it('a recovery link gives aal1: it changes no password and removes no factor', async () => {
    const { id, email, factorId, app } = await at.enrolled()
    await at.call('POST', '/recover', {}, { email })
    const sent = () =>
      vi.waitUntil(async () =>
        (await server.mails()).find((mail) => mail.to === email && mail.linked.has('token_hash')),
      )
    const token_hash = (await sent()).linked.get('token_hash')
    const used = await at.call('POST', '/verify', {}, { token_hash, type: 'recovery' })
    const low = used.json<Tokens>()
    expect(claimsOf(low).aal).toBe('aal1')
    const change = { password: 'una frase tutta nuova' }
    const refused = await at.call('PUT', '/user', bearer(low), change)
    expectRefused(refused, 401, 'insufficient_aal')
    expect((await at.call('DELETE', `/factors/${factorId}`, bearer(low))).statusCode).toBe(422)
    expect(await at.query('select status from auth_factors where user_id = $1', [id])).toEqual([
      { status: 'verified' },
    ])

    // With the second factor it is allowed.
    const lifted = (await at.verify(bearer(low), factorId, app.nextCode())).json<Tokens>()
    expect((await at.call('PUT', '/user', bearer(lifted), change)).statusCode).toBe(200)
    await at.login(email, change.password)
  })
})

describe('a refresh token of before', () => {
  const age = (session: Tokens, seconds: number) =>
    at.query(
      `update auth_refresh_tokens set replaced_at = replaced_at - make_interval(secs => $2)
       where session_id = $1`,
      [claimsOf(session).session_id, seconds],
    )

  it('is put off for a moment, in which its tab finds what another was given', async () => {
    const { before, after } = await at.enrolled()
    for (let times = 0; times < 2; times += 1) {
      const reply = await at.refresh(before)
      expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
      expect(reply.body).not.toContain('refresh_token')
    }
    const next = await at.refresh(after)
    expect(claimsOf(next.json<Tokens>()).aal).toBe('aal2')
    // Not even after the session was refreshed.
    expect((await at.refresh(before)).statusCode).toBe(503)
  })

  it('is worth nothing later, and does not end the session either', async () => {
    const { before, after } = await at.enrolled()
    await age(before, 61)
    const reply = await at.refresh(before)
    expectRefused(reply, 400, 'refresh_token_already_used')
    expect((await at.refresh(after)).statusCode).toBe(200)
  })

  it('that was an old one already is a theft, and ends the session', async () => {
    const { email, factorId, app } = await at.enrolled()
    const low = await at.login(email)
    const second = (await at.refresh(low)).json<Tokens>()
    const lifted = (await at.verify(bearer(second), factorId, app.nextCode())).json<Tokens>()
    await age(low, 61)
    expect((await at.refresh(low)).statusCode).toBe(400)
    expect((await at.refresh(lifted)).json()).toMatchObject({
      error_code: 'refresh_token_not_found',
    })
  })

  it('never becomes one of the higher level, while the session is being lifted neither', async () => {
    const { email, factorId, app } = await at.enrolled()
    const low = await at.login(email)
    const challengeId = await at.challenge(bearer(low), factorId)
    const body = { challenge_id: challengeId, code: app.nextCode() }
    const lifting = at.call('POST', `/factors/${factorId}/verify`, bearer(low), body)
    const refreshes = await Promise.all(Array.from({ length: 8 }, () => at.refresh(low)))
    const lifted = await lifting
    expect(lifted.statusCode).toBe(200)
    const given = refreshes.filter((reply) => reply.statusCode === 200)
    for (const reply of given) expect(claimsOf(reply.json<Tokens>()).aal).toBe('aal1')
    for (const reply of refreshes) expect([200, 503]).toContain(reply.statusCode)
    // Tokens from before the elevation get a temporary error, and the session continues.
    for (const reply of given) expect((await at.refresh(reply.json<Tokens>())).statusCode).toBe(503)
    const next = await at.refresh(lifted.json<Tokens>())
    expect(claimsOf(next.json<Tokens>()).aal).toBe('aal2')
  })
})

describe('an access token of aal2', () => {
  it('is worth what its session is, once the factor is gone', async () => {
    const { after, factorId, email } = await at.enrolled('pharmacy')
    const second = await at.begin(bearer(after))
    const other = appOf(second.totp.secret, clock)
    const two = (await at.verify(bearer(after), second.id, other.nextCode())).json<Tokens>()
    const third = await at.login(email)
    expect((await at.verify(bearer(third), second.id, other.nextCode())).statusCode).toBe(200)

    expect((await at.call('DELETE', `/factors/${second.id}`, bearer(two))).statusCode).toBe(200)
    // The first factor still exists, and no session is at aal2 any more.
    for (const tokens of [two, after]) {
      expect(claimsOf(tokens).aal).toBe('aal2')
      const reply = await at.call('PUT', '/user', bearer(tokens), { email: 'altrove@example.it' })
      expectRefused(reply, 401, 'insufficient_aal')
      expect((await at.call('DELETE', `/factors/${factorId}`, bearer(tokens))).statusCode).toBe(422)
      await vi.waitUntil(
        async () => (await at.call('GET', '/api/pharmacy', bearer(tokens))).statusCode === 403,
        { timeout: 15_000, interval: 20 },
      )
    }
  })

  it('of a banned or deleted user opens nothing', async () => {
    for (const change of ["banned_until = '2999-01-01'", 'deleted_at = now()']) {
      const { id, email, factorId, app } = await at.enrolled()
      const low = bearer(await at.login(email))
      const challengeId = await at.challenge(low, factorId)
      await at.query(`update auth_users set ${change} where id = $1`, [id])
      const body = { challenge_id: challengeId, code: app.nextCode() }
      const reply = await at.call('POST', `/factors/${factorId}/verify`, low, body)
      expect([change, reply.statusCode]).toEqual([change, 403])
    }
  })
})
