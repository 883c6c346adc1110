import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { clientOf, eventsOf, newAddress, newPerson, ok } from './clients.ts'
import { tokenOf } from './mails.ts'

const server = await authServer({
  auth: { ...testAuth, signup: true, anonymous: true },
})

describe('what a client tells', () => {
  it('a visit from beginning to end', async () => {
    const email = newAddress()
    await server.addUser(email)
    const client = clientOf(server)
    const events = await eventsOf(client)
    await ok(client.signInWithPassword({ email, password }))
    await ok(client.refreshSession())
    await ok(client.updateUser({ data: { name: 'Ada' } }))
    await client.signOut()
    expect(events).toEqual(['SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT'])
  })

  it('a failed attempt: nothing', async () => {
    const { email, client } = await newPerson(server)
    const events = await eventsOf(client)
    await client.signInWithPassword({ email, password: 'not the password' })
    await client.verifyOtp({ email, token: '000000', type: 'email' })
    await client.updateUser({ password })
    expect(events).toEqual([])
  })

  it('a code and a link that sign in, and one that recovers', async () => {
    const { email } = await newPerson(server)
    const client = clientOf(server)
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
    const client = clientOf(server)
    const events = await eventsOf(client)
    await ok(client.signUp({ email, password }))
    expect(events).toEqual([])
    const { code: token } = await server.nextMail(email)
    await ok(client.verifyOtp({ email, token, type: 'signup' }))
    expect(events).toEqual(['SIGNED_IN'])
  })

  it('half of a change of address: nothing, the other half: signed in', async () => {
    const { email, client } = await newPerson(server)
    const wanted = newAddress()
    const events = await eventsOf(client)
    await ok(client.updateUser({ email: wanted }))
    const tokens = [tokenOf(await server.nextMail(email)), tokenOf(await server.nextMail(wanted))]
    for (const token_hash of tokens)
      await ok(client.verifyOtp({ token_hash, type: 'email_change' }))
    expect(events).toEqual(['USER_UPDATED', 'SIGNED_IN'])
  })
})
