import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import {
  clientOf,
  eventsOf,
  generations,
  newAddress,
  newPerson,
  ok,
  signIn,
  storageWith,
} from './clients.ts'
import { tokenOf } from './mails.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({
    auth: { ...testAuth, signup: true, anonymous: true },
  })
})

describe.each(generations)('what a client tells, auth-js %s', (generation) => {
  it('a visit from beginning to end', async () => {
    const email = newAddress()
    await server.addUser(email)
    const client = clientOf(generation, server)
    const events = await eventsOf(client)
    await ok(client.signInWithPassword({ email, password }))
    await ok(client.refreshSession())
    await ok(client.updateUser({ data: { name: 'Ada' } }))
    await client.signOut()
    expect(events).toEqual(['SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
  })

  it('the session that was kept, to whoever begins to listen', async () => {
    const { email, session } = await newPerson(generation, server)
    const client = clientOf(generation, server, { storage: storageWith(session) })
    const told: [string, string | undefined][] = []
    const { data } = client.onAuthStateChange(
      (event, of) => void told.push([event, of?.user.email]),
    )
    await vi.waitFor(() => expect(told).toContainEqual(['INITIAL_SESSION', email]))
    data.subscription.unsubscribe()
    told.length = 0
    await client.signOut()
    expect(told).toEqual([])
  })

  it('a failed attempt: nothing', async () => {
    const { email, client } = await newPerson(generation, server)
    const events = await eventsOf(client)
    await client.signInWithPassword({ email, password: 'not the password' })
    await client.verifyOtp({ email, token: '000000', type: 'email' })
    await client.updateUser({ password })
    expect(events).toEqual([])
  })

  it('a code and a link that sign in, and one that recovers', async () => {
    const { email } = await newPerson(generation, server)
    const client = clientOf(generation, server)
    const events = await eventsOf(client)
    await ok(client.signInWithOtp({ email }))
    const { code: token } = await server.nextMail(email)
    await ok(client.verifyOtp({ email, token, type: 'email' }))
    expect(events).toEqual(['SIGNED_IN'])

    await ok(client.resetPasswordForEmail(email))
    const token_hash = tokenOf(await server.nextMail(email))
    await ok(client.verifyOtp({ token_hash, type: 'recovery' }))
    expect(events).toEqual(['SIGNED_IN', 'PASSWORD_RECOVERY'])
  })

  it('a sign-up: nothing before it is confirmed', async () => {
    const email = newAddress()
    const client = clientOf(generation, server)
    const events = await eventsOf(client)
    await ok(client.signUp({ email, password }))
    expect(events).toEqual([])
    const { code: token } = await server.nextMail(email)
    await ok(client.verifyOtp({ email, token, type: 'signup' }))
    expect(events).toEqual(['SIGNED_IN'])
  })

  it('somebody without an address', async () => {
    const client = clientOf(generation, server)
    const events = await eventsOf(client)
    await ok(client.signInAnonymously())
    expect(events).toEqual(['SIGNED_IN'])
  })

  it('half of a change of address: nothing, the other half: signed in', async () => {
    const { email, client } = await newPerson(generation, server)
    const wanted = newAddress()
    const events = await eventsOf(client)
    await ok(client.updateUser({ email: wanted }))
    const tokens = [tokenOf(await server.nextMail(email)), tokenOf(await server.nextMail(wanted))]
    for (const token_hash of tokens)
      await ok(client.verifyOtp({ token_hash, type: 'email_change' }))
    expect(events).toEqual(['USER_UPDATED', 'SIGNED_IN'])
  })

  it('the end of the other sessions: nothing', async () => {
    const { email, client } = await newPerson(generation, server)
    await signIn(generation, server, email)
    const events = await eventsOf(client)
    await client.signOut({ scope: 'others' })
    expect(events).toEqual([])
  })
})
