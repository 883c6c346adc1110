import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { testAuth } from '../server.ts'
import { clientOf, newAddress, ok, refusal, refused } from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'
import { someText } from './matchers.ts'

const server = await authServer()
const open = await authServer({
  auth: { ...testAuth, signup: true },
})

const expired = {
  name: 'AuthApiError',
  status: 403,
  code: 'otp_expired',
  message: 'Token has expired or is invalid',
}

/** Another code of six digits. */
const otherThan = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1)

async function someAddress(): Promise<string> {
  const email = newAddress()
  await server.addUser(email)
  return email
}

describe('a mail to sign in with', () => {
  const client = () => clientOf(server)

  async function asked() {
    const email = await someAddress()
    const answer = await ok(client().signInWithOtp({ email }))
    expect(answer).toEqual({ user: null, session: null })
    return { email, mail: await server.nextMail(email) }
  }

  it.each(['email', 'magiclink'] as const)('brings a code of the type %s', async (type) => {
    const { email, mail } = await asked()
    expect(mail.code).toMatch(/^\d{6}$/)
    const browser = client()
    const { user, session } = await ok(browser.verifyOtp({ email, token: mail.code, type }))
    expect(user).toMatchObject({ email, recovery_sent_at: someText })
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect((await ok(browser.getUser())).user.id).toBe(user?.id)
    expect((await ok(browser.getClaims()))?.claims.amr).toMatchObject([{ method: 'otp' }])
    await ok(browser.refreshSession())
  })

  it.each(['email', 'magiclink'] as const)('brings a link whose token is a %s', async (type) => {
    const { email, mail } = await asked()
    expect(mail.link.href).toMatch(/^http:\/\/localhost:3000\/confirm#/)
    expect(mail.linked.get('type')).toBe('magiclink')
    const { user, session } = await ok(client().verifyOtp({ token_hash: tokenOf(mail), type }))
    expect(user?.email).toBe(email)
    expect(session).not.toBeNull()
  })

  it('does for one sign-in only', async () => {
    const { email, mail } = await asked()
    await ok(client().verifyOtp({ email, token: mail.code, type: 'email' }))
    const again = client().verifyOtp({ email, token: mail.code, type: 'email' })
    expect(await refusal(again)).toMatchObject(expired)
    const link = client().verifyOtp({ token_hash: tokenOf(mail), type: 'magiclink' })
    expect(await refusal(link)).toMatchObject(expired)
  })

  it('lets one in of those who use it at the same time', async () => {
    const { email, mail } = await asked()
    const attempts = await Promise.all([
      client().verifyOtp({ email, token: mail.code, type: 'email' }),
      client().verifyOtp({ token_hash: tokenOf(mail), type: 'magiclink' }),
      client().verifyOtp({ token_hash: tokenOf(mail), type: 'email' }),
    ])
    expect(attempts.filter(({ error }) => error === null)).toHaveLength(1)
    for (const { error } of attempts) if (error) expect(error).toMatchObject(expired)
  })

  it('is neither sent to who is banned, nor does it let them in', async () => {
    const { email, mail } = await asked()
    await server.database.pool.query(
      "update auth_users set banned_until = '2999-01-01' where email = $1",
      [email],
    )
    const attempt = client().verifyOtp({ email, token: mail.code, type: 'email' })
    await refused(attempt, 'user_banned', 403)
    await ok(client().signInWithOtp({ email }))
    expect(await mailsTo(server, email)).toHaveLength(1)
  })

  it('is worthless when it is too old', async () => {
    const { email, mail } = await asked()
    await server.database.pool.query(
      `update auth_one_time_tokens token set expires_at = now() - interval '1 second'
       from auth_users u where u.id = token.user_id and u.email = $1`,
      [email],
    )
    const typed = client().verifyOtp({ email, token: mail.code, type: 'email' })
    expect(await refusal(typed)).toMatchObject(expired)
  })

  it('is not opened by a wrong code, nor by that of another user', async () => {
    const mine = await asked()
    const other = await asked()
    const wrong = client().verifyOtp({
      email: mine.email,
      token: otherThan(mine.mail.code),
      type: 'email',
    })
    expect(await refusal(wrong)).toMatchObject(expired)
    const token = mine.mail.code
    const elsewhere = client().verifyOtp({ email: other.email, token, type: 'email' })
    expect(await refusal(elsewhere)).toMatchObject(expired)
    const unknown = client().verifyOtp({ email: newAddress(), token, type: 'email' })
    expect(await refusal(unknown)).toMatchObject(expired)
    await ok(client().verifyOtp({ email: mine.email, token, type: 'email' }))
  })

  it('is worth nothing after five wrong codes, and a new one is', async () => {
    const { email, mail } = await asked()
    const verify = (token: string) => client().verifyOtp({ email, token, type: 'email' })
    for (let times = 0; times < 5; times += 1) {
      expect(await refusal(verify(otherThan(mail.code)))).toMatchObject(expired)
    }
    expect(await refusal(verify(mail.code))).toMatchObject(expired)

    await ok(client().signInWithOtp({ email }))
    const { code } = await server.nextMail(email)
    const stale = client().verifyOtp({ token_hash: tokenOf(mail), type: 'magiclink' })
    expect(await refusal(stale)).toMatchObject(expired)
    await ok(verify(code))
  })

  it('is opened by one thing at a time', async () => {
    const { email, mail } = await asked()
    const both = { email, token_hash: tokenOf(mail), type: 'magiclink' } as const
    await refused(
      client().verifyOtp(both),
      'validation_failed',
      400,
      'Only the token_hash and type should be provided',
    )
  })
})

describe('where one may sign up', () => {
  const client = () => clientOf(open)

  it('the mail makes the user, who is let in by the code', async () => {
    const email = newAddress()
    await ok(client().signInWithOtp({ email, options: { data: { name: 'Ada' } } }))
    const { code } = await open.nextMail(email)
    const browser = client()
    const { user } = await ok(browser.verifyOtp({ email, token: code, type: 'email' }))
    expect(user).toMatchObject({
      email,
      email_confirmed_at: someText,
      user_metadata: { name: 'Ada' },
    })
  })

  it('the mail makes no user where the client wants no new one, nor where sign-up is closed', async () => {
    const email = newAddress()
    const answer = await ok(client().signInWithOtp({ email, options: { shouldCreateUser: false } }))
    expect(answer).toEqual({ user: null, session: null })
    expect(await mailsTo(open, email)).toEqual([])
    const unknown = newAddress()
    expect(await ok(clientOf(server).signInWithOtp({ email: unknown }))).toEqual(answer)
    expect(await mailsTo(server, unknown)).toEqual([])
    const { rows } = await open.database.pool.query('select 1 from auth_users where email = $1', [
      email,
    ])
    expect(rows).toEqual([])
  })
})
