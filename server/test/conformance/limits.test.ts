import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import { clientOf, newAddress, newPerson, ok, refusal, refused } from './clients.ts'
import { mailsTo } from './mails.ts'
import { textLike } from './matchers.ts'

// With the default limits.
const server = await authServer({ limits: {} })

const tooSoon = {
  name: 'AuthApiError',
  status: 429,
  code: 'over_email_send_rate_limit',
  message: textLike(/^For security purposes, you can only request this after \d+ seconds\.$/),
}

describe('too much of it', () => {
  const client = () => clientOf(server)

  it('is a second mail within a minute, for who is known as for who is not', async () => {
    const { email } = await newPerson(server)
    for (const address of [email, newAddress()]) {
      await ok(client().signInWithOtp({ email: address }))
      expect(await refusal(client().signInWithOtp({ email: address }))).toMatchObject(tooSoon)
      const forgotten = client().resetPasswordForEmail(address.toUpperCase())
      expect(await refusal(forgotten)).toMatchObject(tooSoon)
    }
    expect(await mailsTo(server, email)).toHaveLength(1)
  })

  it('is a password tried over and over, and no session is ended by that', async () => {
    const { email, client: inside } = await newPerson(server)
    const attempt = () =>
      refusal(client().signInWithPassword({ email, password: 'not the password' }))
    const codes = []
    for (let times = 0; times < 8; times += 1) codes.push((await attempt()).code)
    expect(codes.slice(0, 6)).toEqual(Array(6).fill('invalid_credentials'))
    expect(codes.slice(6)).toEqual(Array(2).fill('over_request_rate_limit'))
    await refused(client().signInWithPassword({ email, password }), 'over_request_rate_limit', 429)
    await ok(inside.refreshSession())
  })
})
