import type { Session } from '@supabase/auth-js'
import { describe, expect, it, vi } from 'vitest'
import { authServer } from '../auth-server.ts'
import {
  clientOf,
  eventsOf,
  memoryStorage,
  newPerson,
  ok,
  raw,
  refusal,
  refused,
  STORAGE_KEY,
  sessionMissing,
  signIn,
  storageWith,
} from './clients.ts'

const server = await authServer()

const now = () => Math.floor(Date.now() / 1000)

/** The session of a browser that slept until the access token had expired. */
const expired = (session: Session): Session => ({ ...session, expires_at: now() - 60 })

/** An access token that looks expired to a client. */
function expiredToken({ access_token: token }: Session): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const older = Buffer.from(JSON.stringify({ ...claims, exp: now() - 60 })).toString('base64url')
  return [header, older, signature].join('.')
}

function age(session: Session, column: 'replaced_at', seconds: number) {
  return server.database.pool.query(
    `update auth_refresh_tokens token set ${column} = ${column} - make_interval(secs => $2)
     from auth_sessions session where session.id = token.session_id and session.user_id = $1`,
    [session.user.id, seconds],
  )
}

describe('refreshing', () => {
  it('gives new tokens of the same session and keeps them', async () => {
    const storage = memoryStorage()
    const { client, session } = await newPerson(server, { storage })
    const refreshed = await ok(client.refreshSession())
    expect(refreshed.session?.refresh_token).not.toBe(session.refresh_token)
    expect(refreshed.session?.expires_in).toBe(3600)
    expect(refreshed.user).toMatchObject({ id: session.user.id, email: session.user.email })
    expect(JSON.parse(storage.items.get(STORAGE_KEY) ?? 'null')).toEqual(refreshed.session)

    const before = await ok(client.getClaims(session.access_token))
    const after = await ok(client.getClaims())
    expect(after?.claims.session_id).toBe(before?.claims.session_id)
    expect(after?.claims.amr).toEqual(before?.claims.amr)
  })

  it('gives two clients with one token the same usable session', async () => {
    const { email, session } = await newPerson(server)
    const tabs = Array.from({ length: 8 }, () =>
      clientOf(server, { storage: storageWith(session) }),
    )
    const given = await Promise.all(tabs.map((tab) => ok(tab.refreshSession())))
    expect(new Set(given.map(({ session: of }) => of?.refresh_token)).size).toBe(1)
    for (const tab of tabs) expect((await ok(tab.getUser())).user.email).toBe(email)
    // Slower tabs continue from there.
    for (const tab of tabs.slice(0, 2)) {
      for (let times = 0; times < 3; times += 1) await ok(tab.refreshSession())
    }
  })

  it('gives the newest token again to who lost the answer, however late', async () => {
    const { client, session } = await newPerson(server)
    const { session: lost } = await ok(client.refreshSession())
    await age(session, 'replaced_at', 3600)
    const late = clientOf(server)
    const again = await ok(late.refreshSession(session))
    expect(again.session?.refresh_token).toBe(lost?.refresh_token)
  })

  it('ends the session when an old token turns up again', async () => {
    const { client, session } = await newPerson(server)
    const thief = clientOf(server)
    await ok(client.refreshSession())
    await ok(client.refreshSession())
    await age(session, 'replaced_at', 11)
    await refused(
      thief.refreshSession(session),
      'refresh_token_already_used',
      400,
      'Invalid Refresh Token: Already Used',
    )
    await sessionMissing(client.getUser())
  })

  it.each([
    ['unknown', 'x'.repeat(43), 'refresh_token_not_found'],
    ['malformed', 'no refresh token at all', 'validation_failed'],
  ])('refuses a token that is %s', async (_what, refresh_token, code) => {
    const client = clientOf(server)
    expect(await refusal(client.refreshSession({ refresh_token }))).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code,
    })
  })

  it('of a session that was ended is refused', async () => {
    const { email, client } = await newPerson(server)
    const other = await signIn(server, email)
    await other.client.signOut({ scope: 'others' })
    await refused(client.refreshSession(), 'refresh_token_not_found', 400)
  })
})

describe('a session that was kept', () => {
  it('is the one of the next visit', async () => {
    const storage = memoryStorage()
    const { session } = await newPerson(server, { storage })
    const visit = clientOf(server, { storage })
    expect((await ok(visit.getSession())).session).toEqual(session)
    expect((await ok(visit.getUser())).user.id).toBe(session.user.id)
    await visit.signOut()
    expect(storage.items.has(STORAGE_KEY)).toBe(false)
  })

  it('is refreshed when it looks expired', async () => {
    const { session } = await newPerson(server)
    const storage = storageWith(expired(session))
    const visit = clientOf(server, { storage })
    const found = (await ok(visit.getSession())).session
    expect(found?.refresh_token).not.toBe(session.refresh_token)
    expect(found?.expires_at).toBeGreaterThan(now() + 3500)
    expect(JSON.parse(storage.items.get(STORAGE_KEY) ?? 'null')).toEqual(found)
    expect((await ok(visit.getUser())).user.id).toBe(session.user.id)
  })

  it('is forgotten when it looks expired and was ended', async () => {
    const { client, session } = await newPerson(server)
    await client.signOut()
    const storage = storageWith(expired(session))
    const visit = clientOf(server, { storage })
    const { data, error } = await visit.getSession()
    expect(data.session).toBeNull()
    expect(error).toMatchObject({ code: 'refresh_token_not_found' })
    expect(storage.items.has(STORAGE_KEY)).toBe(false)
  })

  it('is refreshed by itself shortly before it expires', async () => {
    const { session } = await newPerson(server)
    const storage = storageWith({ ...session, expires_at: now() + 80 })
    const visit = clientOf(server, { storage, autoRefreshToken: true })
    const events: string[] = []
    visit.onAuthStateChange((event) => void events.push(event))
    await vi.waitFor(() => expect(events).toContain('TOKEN_REFRESHED'))
    await visit.stopAutoRefresh()
    const kept = JSON.parse(storage.items.get(STORAGE_KEY) ?? 'null') as Session
    expect(kept.expires_at).toBeGreaterThan(now() + 3500)
    expect((await ok(visit.getUser())).user.id).toBe(session.user.id)
  })
})

describe('a session from elsewhere', () => {
  it('is taken over with setSession', async () => {
    const { id, session } = await newPerson(server)
    const client = clientOf(server)
    const events = await eventsOf(client)
    const { session: taken, user } = await ok(client.setSession(session))
    expect(user?.id).toBe(id)
    expect(taken).toMatchObject({
      access_token: session.access_token,
      refresh_token: session.refresh_token,
      expires_at: session.expires_at,
    })
    expect(events).toEqual(['SIGNED_IN'])
    await ok(client.getUser())
  })

  it('is refreshed at once when its access token has expired', async () => {
    const { id, session } = await newPerson(server)
    const client = clientOf(server)
    const events = await eventsOf(client)
    const given = { access_token: expiredToken(session), refresh_token: session.refresh_token }
    const taken = await ok(client.setSession(given))
    expect(taken.user?.id).toBe(id)
    expect(taken.session?.refresh_token).not.toBe(session.refresh_token)
    expect(events).toEqual(['TOKEN_REFRESHED'])
  })

  it('is refused when it has ended, or its token is not known', async () => {
    const { client, session } = await newPerson(server)
    await client.signOut()
    const other = clientOf(server)
    await sessionMissing(other.setSession(session))
    const { refresh_token } = session
    const access_token = expiredToken(session)
    await refused(other.setSession({ access_token, refresh_token }), 'refresh_token_not_found')
    const [header, payload] = session.access_token.split('.')
    const forged = { access_token: `${header}.${payload}.${'A'.repeat(86)}`, refresh_token }
    await refused(other.setSession(forged), 'bad_jwt', 403)
    expect((await ok(other.getSession())).session).toBeNull()
  })
})

describe('the refresh call', () => {
  it('answers the whole session with its user, as the client stores it', async () => {
    const { session } = await newPerson(server)
    const { status, json } = await raw(server, 'POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: session.refresh_token },
    })
    expect(status).toBe(200)
    expect(Object.keys(json).toSorted()).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ])
  })
})
