import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { testAuth } from '../server.ts'
import { administratorsToken, adminOf } from './administrators.ts'
import { appOf, enrol, levelOf, methodsOf, movingClock, newEnrolled } from './authenticator.ts'
import {
  type Client,
  clientOf,
  eventsOf,
  newPerson,
  ok,
  raw,
  refusal,
  refused,
  sessionMissing,
  signIn,
  storageWith,
} from './clients.ts'
import { mailsTo } from './mails.ts'
import { someNumber, textLike } from './matchers.ts'

const clock = movingClock()

const server = await authServer({ clock, auth: { ...testAuth, anonymous: true } })

const isUuid = textLike(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

async function challengeOf(client: Client, factorId: string): Promise<string> {
  return (await ok(client.mfa.challenge({ factorId }))).id
}

const factorsOf = async (client: Client) => (await ok(client.mfa.listFactors())).all

describe('enrolling an app', () => {
  it('shows its secret as text, address and picture, and counts for nothing yet', async () => {
    const { client, email } = await newPerson(server)
    const begun = await ok(client.mfa.enroll({ factorType: 'totp', friendlyName: 'Telefono' }))
    expect(begun).toMatchObject({ id: isUuid, type: 'totp', friendly_name: 'Telefono' })
    const { secret, uri, qr_code: picture } = begun.totp
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const address = new URL(uri)
    expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(address.pathname)).toBe(`/Bancone:${email}`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: 'Bancone',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(picture).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]*<\/svg>$/)

    expect(await factorsOf(client)).toMatchObject([
      { id: begun.id, friendly_name: 'Telefono', factor_type: 'totp', status: 'unverified' },
    ])
    expect((await ok(client.mfa.listFactors())).totp).toEqual([])
    expect(await levelOf(client)).toEqual(['aal1', 'aal1'])
  })

  it('ends with the first code: the session is of level aal2, and the client says so', async () => {
    const { client, session, email } = await newPerson(server)
    const { id, totp } = await ok(client.mfa.enroll({ factorType: 'totp' }))
    const events = await eventsOf(client)
    const challenge = await ok(client.mfa.challenge({ factorId: id }))
    expect(challenge).toMatchObject({ id: isUuid, type: 'totp', expires_at: someNumber })
    expect(challenge.expires_at * 1000 - clock.now()).toBeGreaterThan(295_000)
    const code = appOf(totp.secret, clock).codeIn(0)
    const given = { factorId: id, challengeId: challenge.id, code }
    const verified = await ok(client.mfa.verify(given))
    expect(verified).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(verified.refresh_token).not.toBe(session.refresh_token)
    expect(verified.user.factors).toMatchObject([{ id, status: 'verified' }])
    expect(events).toEqual(['MFA_CHALLENGE_VERIFIED'])

    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    expect(await methodsOf(client)).toEqual(['totp', 'password'])
    const before = await ok(client.getClaims(session.access_token))
    const after = await ok(client.getClaims())
    expect(after?.claims.session_id).toBe(before?.claims.session_id)
    expect((await ok(client.mfa.listFactors())).totp).toMatchObject([
      { id, status: 'verified', last_challenged_at: textLike(/T.*Z$/) },
    ])
    expect(await mailsTo(server, email)).toMatchObject([
      { subject: "Nuova app di autenticazione nell'account" },
    ])
  })

  it('ends what else was begun, and keeps its name for itself', async () => {
    const { client } = await newPerson(server)
    const { totp } = await ok(client.mfa.enroll({ factorType: 'totp', issuer: 'La: mia' }))
    expect(new URL(totp.uri).searchParams.get('issuer')).toBe('La  mia')
    const { factorId } = await enrol(client, clock, 'Telefono')
    expect((await factorsOf(client)).map(({ id }) => id)).toEqual([factorId])
    const again = client.mfa.enroll({ factorType: 'totp', friendlyName: 'telefono' })
    await refused(again, 'mfa_factor_name_conflict', 422)
  })

  it('again under the same name takes the place of what was not ended', async () => {
    const { client } = await newPerson(server)
    const first = await ok(client.mfa.enroll({ factorType: 'totp', friendlyName: 'Telefono' }))
    const second = await ok(client.mfa.enroll({ factorType: 'totp', friendlyName: 'TELEFONO' }))
    expect((await factorsOf(client)).map(({ id }) => id)).toEqual([second.id])
    await refused(client.mfa.challenge({ factorId: first.id }), 'mfa_factor_not_found', 404)
  })

  it('ten are enough', async () => {
    const { client } = await newPerson(server)
    for (let n = 0; n < 10; n += 1) await ok(client.mfa.enroll({ factorType: 'totp' }))
    await refused(client.mfa.enroll({ factorType: 'totp' }), 'too_many_enrolled_mfa_factors', 422)
    clock.advance(301)
    // Enrolments that were not finished in time are gone.
    await ok(client.mfa.enroll({ factorType: 'totp' }))
    expect(await factorsOf(client)).toHaveLength(1)
  })

  it('and not ending it within five minutes makes it worthless', async () => {
    const { client } = await newPerson(server)
    const { id, totp } = await ok(client.mfa.enroll({ factorType: 'totp' }))
    clock.advance(290)
    const challengeId = await challengeOf(client, id)
    clock.advance(11)
    const code = appOf(totp.secret, clock).codeIn(0)
    const missing = { status: 404, code: 'mfa_factor_not_found' }
    expect(await refusal(client.mfa.verify({ factorId: id, challengeId, code }))).toMatchObject(
      missing,
    )
    expect(await refusal(client.mfa.challenge({ factorId: id }))).toMatchObject(missing)
  })

  it('is not for people without an address', async () => {
    const client = clientOf(server)
    await ok(client.signInAnonymously())
    await refused(client.mfa.enroll({ factorType: 'totp' }), 'no_authorization', 403)
  })
})

describe('signing in with a second factor', () => {
  it('at aal1 the session goes on, is read and is ended', async () => {
    const { email } = await newEnrolled(server, clock)
    const { client, id } = await signIn(server, email)
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal1', 'aal2'])
    expect(await methodsOf(client)).toEqual(['password'])
    expect((await ok(client.getUser())).user.id).toBe(id)
    expect((await client.signOut()).error).toBeNull()
  })

  it('at aal2 the session keeps its level over refreshes, in the next visit too', async () => {
    const { email, factorId, app } = await newEnrolled(server, clock)
    const { client } = await signIn(server, email)
    // A code of the previous step is accepted.
    clock.advance(90)
    await ok(client.mfa.challengeAndVerify({ factorId, code: app.codeIn(-30) }))
    const { session } = await ok(client.refreshSession())
    if (!session) throw new Error('no session')
    const visit = clientOf(server, { storage: storageWith(session) })
    await ok(visit.refreshSession())
    expect(await levelOf(visit)).toEqual(['aal2', 'aal2'])
    expect(await methodsOf(visit)).toEqual(['totp', 'password'])
  })

  it('ends the other sessions that have not shown it, and no other', async () => {
    const { email, factorId, app, client } = await newEnrolled(server, clock)
    const low = await signIn(server, email)
    const third = await signIn(server, email)
    await ok(third.client.mfa.challengeAndVerify({ factorId, code: app.nextCode() }))
    await sessionMissing(low.client.getUser())
    await ok(client.getUser())
    await ok(third.client.getUser())
  })

  it('refuses a code that is wrong, and the challenge stays good', async () => {
    const { client, factorId, app } = await newEnrolled(server, clock)
    clock.advance(120)
    const challengeId = await challengeOf(client, factorId)
    const wrong = client.mfa.verify({ factorId, challengeId, code: app.wrongCode() })
    await refused(wrong, 'mfa_verification_failed', 422, 'Invalid TOTP code entered')
    await ok(client.mfa.verify({ factorId, challengeId, code: app.codeIn(0) }))
  })

  it('refuses a code that was taken before, with another challenge too', async () => {
    const { client, email, factorId, app } = await newEnrolled(server, clock)
    const code = app.nextCode()
    // As apps display it, with a space.
    const shown = code.replace(/^.../, '$& ')
    await ok(client.mfa.challengeAndVerify({ factorId, code: shown }))
    const other = await signIn(server, email)
    await refused(
      other.client.mfa.challengeAndVerify({ factorId, code }),
      'mfa_verification_failed',
      422,
    )
    expect(await levelOf(other.client)).toEqual(['aal1', 'aal2'])
  })

  it('refuses a challenge that was answered, has expired or is of another factor', async () => {
    const { client, factorId, app } = await newEnrolled(server, clock)
    const expired = { status: 422, code: 'mfa_challenge_expired' }
    const challengeId = await challengeOf(client, factorId)
    const verify = (id: string) =>
      client.mfa.verify({ factorId, challengeId: id, code: app.nextCode() })
    await ok(verify(challengeId))
    expect(await refusal(verify(challengeId))).toMatchObject(expired)
    expect(await refusal(verify(randomUUID()))).toMatchObject(expired)

    const late = await challengeOf(client, factorId)
    clock.advance(301)
    expect(await refusal(verify(late))).toMatchObject(expired)

    const second = await enrol(client, clock)
    expect(await refusal(verify(await challengeOf(client, second.factorId)))).toMatchObject(expired)
  })

  it('refuses the factor of another user, and one that does not exist', async () => {
    const theirs = await newEnrolled(server, clock)
    const challengeId = await challengeOf(theirs.client, theirs.factorId)
    const { client } = await newPerson(server)
    const missing = { status: 404, code: 'mfa_factor_not_found' }
    for (const factorId of [theirs.factorId, randomUUID()]) {
      const given = { factorId, challengeId, code: theirs.app.nextCode() }
      expect(await refusal(client.mfa.challenge({ factorId }))).toMatchObject(missing)
      expect(await refusal(client.mfa.verify(given))).toMatchObject(missing)
      expect(await refusal(client.mfa.unenroll({ factorId }))).toMatchObject(missing)
    }
    expect((await ok(theirs.client.mfa.listFactors())).totp).toHaveLength(1)
    await refusal(client.mfa.challenge({ factorId: 'no-id' }))
  })
})

describe('taking an app away', () => {
  it('leaves the session, at aal1, and needs no code from then on', async () => {
    const { client, email, factorId } = await newEnrolled(server, clock)
    expect(await ok(client.mfa.unenroll({ factorId }))).toEqual({ id: factorId })
    expect(await factorsOf(client)).toEqual([])
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal1', 'aal1'])
    expect(await methodsOf(client)).toEqual(['password'])
    const subjects = (await mailsTo(server, email)).map(({ subject }) => subject)
    expect(subjects.at(-1)).toBe("App di autenticazione tolta dall'account")
  })

  it('lowers the sessions that it lifted, and not those of another', async () => {
    const { client, email, factorId, app } = await newEnrolled(server, clock)
    const second = await enrol(client, clock)
    expect((await ok(client.mfa.listFactors())).totp).toHaveLength(2)
    const other = await signIn(server, email)
    await ok(other.client.mfa.challengeAndVerify({ factorId, code: app.nextCode() }))
    await ok(client.mfa.unenroll({ factorId }))
    await ok(other.client.refreshSession())
    expect(await levelOf(other.client)).toEqual(['aal1', 'aal2'])
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    expect((await ok(client.mfa.listFactors())).totp.map(({ id }) => id)).toEqual([second.factorId])
  })

  it('that does not count yet needs nothing, and sends no mail', async () => {
    const { client, email } = await newPerson(server)
    const { id } = await ok(client.mfa.enroll({ factorType: 'totp' }))
    await ok(client.mfa.unenroll({ factorId: id }))
    expect(await factorsOf(client)).toEqual([])
    expect(await mailsTo(server, email)).toEqual([])
  })
})

describe('what administrators do', () => {
  it('they see the factors of any user, and take them away', async () => {
    const { id: userId, client, email, factorId } = await newEnrolled(server, clock)
    const admin = adminOf(server, await administratorsToken(server))
    const { factors } = await ok(admin.mfa.listFactors({ userId }))
    expect(factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }])
    expect(JSON.stringify(factors)).not.toContain('secret')
    // Both generations of clients wrap the response once more than they declare.
    expect(await ok(admin.mfa.deleteFactor({ userId, id: factorId }))).toMatchObject({
      data: { id: factorId },
    })
    expect((await ok(admin.mfa.listFactors({ userId }))).factors).toEqual([])
    await ok(client.refreshSession())
    expect(await levelOf(client)).toEqual(['aal1', 'aal1'])
    const mail = (await mailsTo(server, email)).at(-1)
    expect(mail?.text).toContain('un amministratore di Bancone ha tolto')
    await refused(admin.mfa.deleteFactor({ userId, id: factorId }), 'mfa_factor_not_found', 404)
  })

  it('whom they delete softly has no factor left, nor recovery codes', async () => {
    const { id: userId, session } = await newEnrolled(server, clock)
    const path = '/factors/recovery-codes/regenerate'
    await raw(server, 'POST', path, { token: session.access_token, body: {} })
    const kept = async () => {
      const { rows } = await server.database.pool.query<{ factors: number; codes: number }>(
        `select (select count(*)::int from auth_factors where user_id = $1) as factors,
          (select count(*)::int from auth_recovery_codes where user_id = $1) as codes`,
        [userId],
      )
      return rows
    }
    expect(await kept()).toEqual([{ factors: 1, codes: 10 }])
    const admin = adminOf(server, await administratorsToken(server))
    await ok(admin.deleteUser(userId, true))
    expect(await kept()).toEqual([{ factors: 0, codes: 0 }])
  })
})
