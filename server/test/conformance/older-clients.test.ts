import { RealtimeClient } from '@supabase/realtime-js'
import { AuthClient } from 'auth-js-2.69'
import { RealtimeClient as OlderRealtimeClient } from 'realtime-js-2.11'
import { StorageClient } from 'storage-js-2.7'
import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import {
  join,
  KEY,
  clientOf as newerClientOf,
  optionsOf,
  prepareClient,
  until,
  urlOf,
  refusal as whyNot,
} from '../realtime/clients.ts'
import { password, testAuth } from '../server.ts'
import { administratorsToken } from './administrators.ts'
import { enrol, levelOf, movingClock } from './authenticator.ts'
import {
  type Client,
  type ClientOptions,
  canSignIn,
  eventsOf,
  memoryStorage,
  newAddress,
  ok,
  refusal,
  refused,
  STORAGE_KEY,
  sessionMissing,
  storageWith,
} from './clients.ts'
import { mailsTo, openAndSubmit, tokenOf } from './mails.ts'
import { textLike } from './matchers.ts'
import { type Client as Files, ok as kept, refusal as notKept } from './storage/clients.ts'

/**
 * The previous generation of the official clients, which applications still use: the main path through each
 * protocol, and the differences.
 */

const clock = movingClock()
const foreign = 'https://app.example.org'

const auth = { ...testAuth, signup: true, origins: [foreign] }
const made = await authServer({ clock, auth })
const server = { ...made, port: Number(new URL(made.origin).port) }

// Classes with private members are never assignable to each other. The older clients have the declared shape of
// the newer ones; the tests state where responses differ.

function authClient(options: ClientOptions = {}): Client {
  const all = { url: server.url, storage: memoryStorage(), autoRefreshToken: false, ...options }
  return new AuthClient(all) as unknown as Client
}

describe('auth-js 2.69', () => {
  async function signedIn(options: ClientOptions = {}) {
    const email = newAddress()
    const id = await server.addUser(email)
    const client = authClient(options)
    const { session } = await ok(client.signInWithPassword({ email, password }))
    return { id, email, client, session }
  }

  it('signs in, refreshes, says who it is, changes the password and signs out', async () => {
    const email = newAddress()
    const id = await server.addUser(email)
    const client = authClient()
    const events = await eventsOf(client)
    await refused(
      client.signInWithPassword({ email, password: 'wrong' }),
      'invalid_credentials',
      400,
    )
    const { session } = await ok(client.signInWithPassword({ email, password }))
    const refreshed = await ok(client.refreshSession())
    expect(refreshed.session?.refresh_token).not.toBe(session.refresh_token)
    expect((await ok(client.getUser())).user).toMatchObject({ id, email, role: 'authenticated' })
    expect((await ok(client.getClaims()))?.claims).toMatchObject({ sub: id, aal: 'aal1' })
    expect(await refusal(client.updateUser({ password: 'short' }))).toMatchObject({
      name: 'AuthWeakPasswordError',
      reasons: ['length'],
    })
    await ok(client.updateUser({ password: 'quite another one', data: { name: 'Ada' } }))
    expect(await canSignIn(server, email, 'quite another one')).toBe(true)
    expect((await client.signOut()).error).toBeNull()
    await sessionMissing(client.getUser())
    expect(events).toEqual(['SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
  })

  it('signs up, and comes in by the code of a mail', async () => {
    const email = newAddress()
    const client = authClient()
    const { user, session } = await ok(client.signUp({ email, password }))
    expect(session).toBeNull()
    const { code: token } = await server.nextMail(email)
    expect((await ok(client.verifyOtp({ email, token, type: 'signup' }))).user?.id).toBe(user?.id)
    await refused(client.verifyOtp({ email, token, type: 'signup' }), 'otp_expired', 403)
    expect(await ok(client.signInWithOtp({ email }))).toEqual({ user: null, session: null })
    expect(await mailsTo(server, email)).toHaveLength(2)
  })

  it('exchanges the code of a link, and leaves it to its caller to tell a recovery', async () => {
    const { id, email } = await signedIn()
    const client = authClient({ flowType: 'pkce' })
    await ok(client.resetPasswordForEmail(email, { redirectTo: foreign }))
    const { url } = await openAndSubmit(server, (await server.nextMail(email)).link)
    const code = url.searchParams.get('code') ?? ''
    const events = await eventsOf(client)
    // It does not check for a stored verifier before the request.
    const thief = authClient({ flowType: 'pkce' })
    await refused(thief.exchangeCodeForSession(code), 'validation_failed', 400)
    const recovered = await ok(client.exchangeCodeForSession(code))
    expect(recovered).toMatchObject({ user: { id }, redirectType: 'PASSWORD_RECOVERY' })
    expect(events).toEqual(['SIGNED_IN'])
  })

  it('takes the message that half a change of address is done for a user', async () => {
    const { id, email, client } = await signedIn()
    const wanted = newAddress()
    await ok(client.updateUser({ email: wanted }))
    const mails = [await server.nextMail(email), await server.nextMail(wanted)]
    const verify = (token_hash = '') => client.verifyOtp({ token_hash, type: 'email_change' })
    const [first, second] = mails.map(tokenOf)
    const half = await ok(verify(first))
    expect(half.session).toBeNull()
    expect(half.user).toMatchObject({ code: '200', msg: textLike(/other email/) })
    expect((await ok(verify(second))).user).toMatchObject({ id, email: wanted })
  })

  it('shows a second factor', async () => {
    const { client } = await signedIn()
    const { factorId } = await enrol(client, clock)
    expect(await levelOf(client)).toEqual(['aal2', 'aal2'])
    expect((await ok(client.mfa.listFactors())).totp).toMatchObject([{ id: factorId }])
    await ok(client.mfa.unenroll({ factorId }))
  })

  it('forgets a session that has ended elsewhere, and makes an error of its own of signing out', async () => {
    const storage = memoryStorage()
    const { client, email, session } = await signedIn({ storage })
    await authClient().admin.signOut(session.access_token)
    expect(await client.signOut()).toMatchObject({ error: { name: 'AuthSessionMissingError' } })
    await client.getUser()
    expect(storage.items.has(STORAGE_KEY)).toBe(false)

    const { data } = await client.signInWithPassword({ email, password })
    await client.signOut()
    const slept = storageWith({ ...data.session, expires_at: 1 })
    const visit = await authClient({ storage: slept }).getSession()
    expect(visit).toMatchObject({
      data: { session: null },
      error: { code: 'refresh_token_not_found' },
    })
    expect(slept.items.has(STORAGE_KEY)).toBe(false)
  })

  it('administers users', async () => {
    const authorization = `Bearer ${await administratorsToken(server)}`
    const { admin } = authClient({ headers: { Authorization: authorization } })
    const { user } = await ok(admin.createUser({ email: newAddress(), email_confirm: true }))
    expect((await ok(admin.listUsers({ perPage: 1 }))).users).toHaveLength(1)
    expect((await ok(admin.getUserById(user.id))).user.id).toBe(user.id)
    expect((await ok(admin.mfa.listFactors({ userId: user.id }))).factors).toEqual([])
    await ok(admin.deleteUser(user.id))
    await refused(admin.getUserById(user.id), 'user_not_found', 404)
  })
})

describe('storage-js 2.7', () => {
  async function pharmacy() {
    const email = newAddress()
    const id = await server.addPharmacy({ email, code: email })
    return { id, client: storageClient(await server.signIn(email)) }
  }
  const storageClient = (headers = {}) =>
    new StorageClient(`${server.origin}/storage/v1`, headers) as unknown as Files

  it('uploads, downloads, lists, moves, signs and removes', async () => {
    const { id, client } = await pharmacy()
    const files = client.from('pharmacies')
    const name = `${id}/a b.txt`
    for (const body of [new Blob(['text']), Buffer.from('text'), 'text']) {
      const done = await kept(files.upload(name, body, { upsert: true, metadata: { a: 1 } }))
      expect(done).toMatchObject({ path: name, fullPath: `pharmacies/${name}` })
      expect(await (await kept(files.download(name))).text()).toBe('text')
    }
    expect(await notKept(files.upload(name, 'other'))).toEqual({
      status: 409,
      message: 'The resource already exists',
    })
    await kept(files.update(name, 'changed'))
    expect(await kept(files.info(name))).toMatchObject({ size: 7 })
    expect(await files.exists(name)).toMatchObject({ data: true })
    await kept(files.copy(name, `${id}/b.txt`))
    await kept(files.move(name, `${id}/c.txt`))
    expect((await kept(files.list(id))).map((file) => file.name)).toEqual(['b.txt', 'c.txt'])
    expect(await kept(files.remove([`${id}/b.txt`, name]))).toHaveLength(1)
    expect((await notKept(files.download(name))).status).toBe(404)

    const { signedUrl } = await kept(files.createSignedUrl(`${id}/c.txt`, 60))
    expect(await (await fetch(signedUrl)).text()).toBe('changed')
    const [many] = await kept(files.createSignedUrls([`${id}/c.txt`], 60))
    expect(await (await fetch(many?.signedUrl ?? '')).text()).toBe('changed')
    const { token } = await kept(files.createSignedUploadUrl(`${id}/d.txt`))
    await kept(storageClient().from('pharmacies').uploadToSignedUrl(`${id}/d.txt`, token, 'sent'))
    expect(await (await kept(files.download(`${id}/d.txt`))).text()).toBe('sent')
  })

  it('is refused the files of another pharmacy', async () => {
    const { id, client } = await pharmacy()
    await kept(client.from('pharmacies').upload(`${id}/a.txt`, 'secret'))
    const other = (await pharmacy()).client.from('pharmacies')
    expect((await notKept(other.download(`${id}/a.txt`))).status).toBe(404)
    expect((await notKept(other.upload(`${id}/b.txt`, 'text'))).status).toBe(403)
    expect(await kept(other.list(id))).toEqual([])
  })

  it('makes buckets, whose list has no pages', async () => {
    const admin = storageClient({ authorization: `Bearer ${await administratorsToken(server)}` })
    await server.database.pool.query(
      `insert into storage_buckets (id, name) select 'many-' || n, 'many-' || n
       from generate_series(1, 120) n`,
    )
    expect(await kept(admin.createBucket('made', { public: false, fileSizeLimit: '1MB' }))).toEqual(
      {
        name: 'made',
      },
    )
    expect(await kept(admin.getBucket('made'))).toMatchObject({ file_size_limit: 1_000_000 })
    expect((await kept(admin.listBuckets())).length).toBeGreaterThan(120)
    expect((await notKept(admin.createBucket('made'))).status).toBe(409)
  })
})

describe.each(['2.11', '2.109 in version 1'])('realtime-js %s', (generation) => {
  function realtimeClient(token: string) {
    if (generation !== '2.11') {
      const client = new RealtimeClient(urlOf(server), { ...optionsOf({}), vsn: '1.0.0' })
      return prepareClient(client, token)
    }
    // It chooses the transport itself, and ignores a given one.
    const client = new OlderRealtimeClient(urlOf(server), { params: { apikey: KEY } })
    return prepareClient(client as unknown as RealtimeClient, token)
  }

  async function pharmacy() {
    const email = newAddress()
    const id = await server.addPharmacy({ email, code: email })
    const { authorization } = await server.signIn(email)
    return { id, token: authorization.replace('Bearer ', ''), topic: `pharmacy:${id}` }
  }

  it('joins the topic of its own pharmacy, and no other', async () => {
    const { token, topic } = await pharmacy()
    const { channel, states } = await join(await realtimeClient(token), topic)
    expect(await channel.unsubscribe()).toBe('ok')
    expect(states).toEqual(['SUBSCRIBED', 'CLOSED'])
    const other = await pharmacy()
    expect(await whyNot(await realtimeClient(token), other.topic)).toContain('Unauthorized: ')
    expect(await whyNot(await realtimeClient(token), topic, { private: false })).toContain(
      'PrivateOnly',
    )
  })

  it('tells and hears, together with the newer one, but for bytes', async () => {
    const { token, topic } = await pharmacy()
    const ack = { broadcast: { ack: true } }
    const older = await join(await realtimeClient(token), topic, ack)
    const newer = await join(await newerClientOf(server, { token }), topic, ack)
    const send = ({ channel }: typeof older, event: string, payload: unknown) =>
      channel.send({ type: 'broadcast', event, payload })
    expect(await send(older, 'news', { n: 1 })).toBe('ok')
    expect(await send(newer, 'bytes', Uint8Array.from([0, 255]).buffer)).toBe('ok')
    expect(await send(newer, 'news', { n: 2 })).toBe('ok')
    await until(() => older.broadcasts.length > 0, 'what the newer one told')
    expect(older.broadcasts).toEqual([{ event: 'news', payload: { n: 2 } }])
    expect(newer.broadcasts).toEqual([{ event: 'news', payload: { n: 1 } }])
  })

  it('is told of orders, and closed with its session', async () => {
    const { id, token, topic } = await pharmacy()
    const client = await realtimeClient(token)
    const { broadcasts, states, system } = await join(client, topic)
    await server.database.pool.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, status, airtable_created, airtable_last)
       values ($1, 'rec00000000000001', 'In attesa', now(), now())`,
      [id],
    )
    // The news that the pharmacy itself has changed may come first.
    const ofOrders = () => broadcasts.find(({ event }) => event === 'orders')
    await until(() => ofOrders() !== undefined, 'the order')
    expect(ofOrders()).toMatchObject({ payload: {} })
    await server.database.pool.query('delete from auth_sessions where user_id = $1', [id])
    await until(() => states.includes('CLOSED'), 'its end')
    expect(system).toEqual([textLike(/session has ended/)])
  })

  it('shows who is there', async () => {
    const { token, topic } = await pharmacy()
    const config = { presence: { key: 'desk', enabled: true } }
    const [first, second] = [await realtimeClient(token), await realtimeClient(token)].map(
      (client) => client.channel(topic, { config: { private: true, ...config } }),
    )
    if (!first || !second) throw new Error('there are two')
    for (const channel of [first, second]) {
      channel.on('presence', { event: 'sync' }, () => {}).subscribe()
      await until(() => channel.state === 'joined', 'the join')
    }
    const there = () =>
      (second.presenceState()['desk'] ?? []).map(({ presence_ref: _ref, ...said }) => said)
    expect(await first.track({ n: 1 })).toBe('ok')
    await until(() => there().length === 1, 'the first')
    expect(there()).toEqual([{ n: 1 }])
    // The newer one drops presences of a key when another joins (supabase-js #2565).
    if (generation === '2.11') {
      await second.track({ n: 2 })
      await until(() => there().length === 2, 'both')
    }
    await first.untrack()
    await until(() => there().every((said) => !('n' in said) || said['n'] !== 1), 'the end')
  })
})
