import { Secret } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { noLimits } from '../auth-server.ts'
import { capturedLog } from '../captured-log.ts'
import { movingClock } from '../conformance/authenticator.ts'
import { testServer } from '../server.ts'
import { bearer, type Headers, type WithFactors, withFactors } from './enrolled.ts'
import { expectRefused } from './replies.ts'

/** Pitfall 12: finding out a second factor, by guessing or from the database. */

const plenty = { points: 100_000, seconds: 60 }
const clock = movingClock()
let at: WithFactors

beforeAll(async () => {
  at = withFactors(await testServer({ clock, limits: noLimits }), clock)
})

describe('guessing', () => {
  const wrong = (who: Awaited<ReturnType<typeof at.enrolled>>, headers: Headers) =>
    at.verify(headers, who.factorId, who.app.wrongCode())

  it('ends after five, for the right code too, and recovery codes count for themselves', async () => {
    const who = await at.enrolled()
    const [code] = await at.recoveryCodes(who.after)
    const low = bearer(await at.login(who.email))
    for (let n = 0; n < 5; n += 1) expect((await wrong(who, low)).statusCode).toBe(422)
    const reply = await at.verify(low, who.factorId, who.app.nextCode())
    expectRefused(reply, 429, 'over_request_rate_limit')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(800)
    // Another session or challenge does not reset the limit.
    const other = bearer(await at.login(who.email))
    expect((await at.verify(other, who.factorId, who.app.nextCode())).statusCode).toBe(429)
    const recovered = await at.call('POST', '/factors/recovery-codes/verify', other, { code })
    expect(recovered.statusCode).toBe(200)
  })

  it('of many at once ends after five as well', async () => {
    const who = await at.enrolled()
    const low = bearer(await at.login(who.email))
    const id = await at.challenge(low, who.factorId)
    const body = { challenge_id: id, code: who.app.wrongCode() }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        at.call('POST', `/factors/${who.factorId}/verify`, low, body),
      ),
    )
    const statuses = replies.map((reply) => reply.statusCode)
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  })

  it('over days ends after twenty a day', async () => {
    const limits = { ...noLimits, 'factor-code': plenty, 'factor-challenge': plenty }
    const there = withFactors(await testServer({ clock, limits }), clock)
    const { email, factorId, app } = await there.enrolled()
    const low = bearer(await there.login(email))
    for (let n = 0; n < 20; n += 1) {
      expect((await there.verify(low, factorId, app.wrongCode())).statusCode).toBe(422)
    }
    const reply = await there.verify(low, factorId, app.nextCode())
    expect(reply.statusCode).toBe(429)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(80_000)
  })

  it('of recovery codes ends after five', async () => {
    const who = await at.enrolled()
    const [code] = await at.recoveryCodes(who.after)
    const low = bearer(await at.login(who.email))
    const use = (typed: string | undefined) =>
      at.call('POST', '/factors/recovery-codes/verify', low, { code: typed })
    for (let n = 0; n < 5; n += 1) expect((await use('22222-22222')).statusCode).toBe(422)
    expect((await use(code)).statusCode).toBe(429)
  })

  it('elsewhere does not keep the owner out where they have shown it before', async () => {
    const who = await at.enrolled()
    const [code] = await at.recoveryCodes(who.after)
    const thief = bearer(await at.login(who.email))
    const factor = `/factors/${who.factorId}`
    const challenge = () => at.call('POST', `${factor}/challenge`, thief, {}, '192.0.2.66')
    const guess = (path: string, body: object) => at.call('POST', path, thief, body, '192.0.2.66')
    const challenge_id = (await challenge()).json<{ id: string }>().id
    for (let n = 0; n < 30; n += 1) {
      await guess(`${factor}/verify`, { challenge_id, code: who.app.wrongCode() })
      await guess('/factors/recovery-codes/verify', { code: '22222-22222' })
      await challenge()
    }
    const right = { challenge_id, code: who.app.nextCode() }
    expect((await guess(`${factor}/verify`, right)).statusCode).toBe(429)
    expect((await guess('/factors/recovery-codes/verify', { code })).statusCode).toBe(429)
    expect((await challenge()).statusCode).toBe(429)

    const owner = bearer(await at.login(who.email))
    expect((await at.verify(owner, who.factorId, who.app.nextCode())).statusCode).toBe(200)
    const recovered = await at.call('POST', '/factors/recovery-codes/verify', owner, { code })
    expect(recovered.statusCode).toBe(200)
    // Attempts from an unknown address count with all others.
    const other = bearer(await at.login(who.email))
    const third = await at.call('POST', `${factor}/challenge`, other, {}, '198.51.100.9')
    expect(third.statusCode).toBe(429)
  })

  it('with what never was a challenge uses nothing up', async () => {
    const who = await at.enrolled()
    const low = bearer(await at.login(who.email))
    const body = { challenge_id: who.id, code: '123456' }
    for (let n = 0; n < 8; n += 1) {
      const reply = await at.call('POST', `/factors/${who.factorId}/verify`, low, body)
      expect(reply.json()).toMatchObject({ error_code: 'mfa_challenge_expired' })
    }
    expect((await at.verify(low, who.factorId, who.app.nextCode())).statusCode).toBe(200)
  })

  it('is in the trail of the account', async () => {
    const who = await at.enrolled()
    await wrong(who, bearer(await at.login(who.email)))
    const trail = await at.query<{ action: string; address: string | null }>(
      "select action, address from audit_events where user_id = $1 and action like 'factor%' order by id",
      [who.id],
    )
    expect(trail).toEqual([
      { action: 'factor_added', address: '127.0.0.1' },
      { action: 'factor_failed', address: '127.0.0.1' },
    ])
  })
})

describe('a challenge', () => {
  it('is answered from where it was asked for', async () => {
    const { email, factorId, app } = await at.enrolled()
    const low = bearer(await at.login(email))
    const challengeId = await at.challenge(low, factorId, '192.0.2.7')
    const body = { challenge_id: challengeId, code: app.nextCode() }
    const path = `/factors/${factorId}/verify`
    const elsewhere = await at.call('POST', path, low, body, '198.51.100.9')
    expectRefused(elsewhere, 422, 'mfa_ip_address_mismatch')
    expect((await at.call('POST', path, low, body, '192.0.2.7')).statusCode).toBe(200)
  })

  it('is not made without end', async () => {
    const { id, email, factorId } = await at.enrolled()
    const low = bearer(await at.login(email))
    const statuses = []
    for (let n = 0; n < 35; n += 1) {
      statuses.push((await at.call('POST', `/factors/${factorId}/challenge`, low, {})).statusCode)
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5)
    const kept = await at.query(
      'select from auth_challenges c join auth_factors f on f.id = factor_id where user_id = $1',
      [id],
    )
    expect(kept.length).toBeLessThanOrEqual(30)
  })

  it('and one code serve one of two who come at once', async () => {
    const { email, factorId, app } = await at.enrolled()
    const both = [bearer(await at.login(email)), bearer(await at.login(email))]
    const ids = await Promise.all(both.map((headers) => at.challenge(headers, factorId)))
    const code = app.nextCode()
    const replies = await Promise.all(
      both.map((headers, n) =>
        at.call('POST', `/factors/${factorId}/verify`, headers, { challenge_id: ids[n], code }),
      ),
    )
    const statuses = replies.map((reply) => reply.statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('secrets', () => {
  it('open nothing when they are copied to another factor in the database', async () => {
    const [thief, victim] = [await at.enrolled(), await at.enrolled()]
    const open = async () => {
      const low = bearer(await at.login(victim.email))
      return (await at.verify(low, victim.factorId, thief.app.nextCode())).statusCode
    }
    await at.query(
      `update auth_factors set last_step = null,
         secret = (select secret from auth_factors where id = $2)
       where id = $1`,
      [victim.factorId, thief.factorId],
    )
    expect(await open()).toBe(500)
    // Nor does a row copied as a whole work.
    await at.query('delete from auth_factors where id = $1', [victim.factorId])
    await at.query('update auth_factors set user_id = $1 where id = $2', [
      victim.id,
      thief.factorId,
    ])
    victim.factorId = thief.factorId
    expect(await open()).toBe(500)
  })

  it('are shown once: no answer after that, nor the database, nor the log holds them', async () => {
    const { lines, log } = capturedLog('trace')
    const there = withFactors(await testServer({ clock }, log), clock)
    const { id, after, secret, factorId, app } = await there.enrolled('administrator')
    const headers = bearer(after)
    const codes = await there.recoveryCodes(after)
    const code = app.nextCode()
    const verified = await there.verify(headers, factorId, code)
    const wrong = { code: codes[0].replace('-', 'O') }
    const answers = [
      verified,
      await there.call('GET', '/user', headers),
      await there.call('GET', '/admin/users', headers),
      await there.call('GET', `/admin/users/${id}/factors`, headers),
      await there.call('GET', '/factors/recovery-codes', headers),
      await there.call('POST', '/factors/recovery-codes/verify', headers, wrong),
    ]
    const [row] = await there.query<{ all: string }>(
      `select (select string_agg(f::text, '') from auth_factors f)
        || (select string_agg(c::text, '') from auth_recovery_codes c)
        || (select string_agg(a::text, '') from audit_events a)
        || (select string_agg(j::text, '') from graphile_worker._private_jobs j) as all`,
    )
    expect(row?.all.length).toBeGreaterThan(1000)
    expect(lines.length).toBeGreaterThan(5)
    const found = [...answers.map(({ body }) => body), row?.all, ...lines].join('\n').toLowerCase()
    for (const hidden of [secret, ...codes, ...codes.map((one) => one.replace('-', ''))]) {
      expect(found).not.toContain(hidden.toLowerCase())
      expect(found).not.toContain(Buffer.from(hidden).toString('hex'))
    }
    const [key] = await there.query<{ secret: Buffer }>('select secret from auth_factors')
    expect(found).toContain(key?.secret.toString('hex'))
    expect(found).not.toContain(bytesOf(secret).toString('hex'))
    expect(lines.join('\n')).not.toContain(code)
  })
})

function bytesOf(secret: string): Buffer {
  return Buffer.from(Secret.fromBase32(secret).bytes)
}
