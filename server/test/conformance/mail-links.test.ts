import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { administratorsToken, adminOf } from './administrators.ts'
import { clientOf, newAddress, newPerson, ok, refused } from './clients.ts'
import { formOf, open, openAndSubmit, redirectOf, submit } from './mails.ts'
import { someText, textLike } from './matchers.ts'

const foreign = 'https://app.example.org'

const server = await authServer({
  auth: { ...testAuth, signup: true, origins: [foreign] },
})
const token = await administratorsToken(server)

const usedUp = {
  error: 'access_denied',
  error_code: 'otp_expired',
  error_description: 'Email link is invalid or has expired',
}

/** Without the empty parameters. */
const said = (fragment: URLSearchParams) =>
  Object.fromEntries([...fragment].filter(([, value]) => value !== ''))

describe('a link to a foreign application', () => {
  const admin = () => adminOf(server, token)

  async function magicLink(redirectTo: string) {
    const { email } = await newPerson(server)
    const options = { redirectTo }
    const { properties } = await ok(admin().generateLink({ type: 'magiclink', email, options }))
    return { email, link: properties.action_link, redirectTo: properties.redirect_to }
  }

  it('shows a page, as often as anything looks at it, and uses nothing up', async () => {
    const { link } = await magicLink(`${foreign}/in`)
    expect(link).toMatch(/^http:\/\/localhost:3000\/auth\/v1\/verify\?token=/)
    for (let times = 0; times < 3; times += 1) {
      const head = await fetch(server.origin + new URL(link).pathname + new URL(link).search, {
        method: 'HEAD',
      })
      expect(head.status).toBe(200)
      const reply = await open(server, link)
      expect(reply.status).toBe(200)
      expect(await reply.text()).not.toContain('<script')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    }
    const { fragment } = await openAndSubmit(server, link)
    expect(fragment.has('access_token')).toBe(true)
  })

  it('brings a session that the client can use, after the click', async () => {
    const { email, link } = await magicLink(`${foreign}/in?sb_flow_id=7&a=b%20c`)
    const { url, fragment } = await openAndSubmit(server, link)
    expect(url.origin + url.pathname + url.search).toBe(`${foreign}/in?sb_flow_id=7&a=b%20c`)
    expect(said(fragment)).toEqual({
      access_token: someText,
      expires_at: textLike(/^\d{10}$/),
      expires_in: '3600',
      refresh_token: someText,
      token_type: 'bearer',
      type: 'magiclink',
    })
    expect(Number(fragment.get('expires_at'))).toBeCloseTo(Date.now() / 1000 + 3600, -2)

    const client = clientOf(server)
    const taken = await ok(
      client.setSession({
        access_token: fragment.get('access_token') ?? '',
        refresh_token: fragment.get('refresh_token') ?? '',
      }),
    )
    expect(taken.user?.email).toBe(email)
    await ok(client.refreshSession())
  })

  it.each(['recovery', 'signup', 'invite'] as const)('says that it was a %s', async (type) => {
    const options = { redirectTo: foreign }
    const email = type === 'recovery' ? (await newPerson(server)).email : newAddress()
    const wanted = type === 'signup' ? { type, email, password, options } : { type, email, options }
    const { properties, user } = await ok(admin().generateLink(wanted))
    const { url, fragment } = await openAndSubmit(server, properties.action_link)
    expect(url.origin).toBe(foreign)
    expect(fragment.get('type')).toBe(type)
    const { data } = await clientOf(server).getUser(fragment.get('access_token') ?? '')
    expect(data.user).toMatchObject({ id: user.id, email_confirmed_at: someText })
  })

  it('does for one click, and tells who comes later', async () => {
    const { link } = await magicLink(`${foreign}/in?a=b`)
    const form = await formOf(server, link)
    expect(redirectOf(await submit(form)).fragment.has('access_token')).toBe(true)
    for (const reply of [await submit(form), await open(server, link)]) {
      const { url, fragment } = redirectOf(reply)
      expect(url.origin + url.pathname + url.search).toBe(`${foreign}/in?a=b`)
      expect(said(fragment)).toEqual(usedUp)
    }
  })

  it('tells the same of a link that never was', async () => {
    const redirect_to = `${foreign}/in`
    const attempts = [
      { token: 'x'.repeat(43), type: 'magiclink', redirect_to },
      { token: 'x'.repeat(43), type: 'no type', redirect_to },
      { type: 'magiclink', redirect_to },
    ]
    for (const query of attempts) {
      const text = new URLSearchParams(query as Record<string, string>).toString()
      const { url, fragment } = redirectOf(await open(server, `${server.url}/verify?${text}`))
      expect(url.origin + url.pathname).toBe(redirect_to)
      expect(said(fragment)).toEqual(usedUp)
    }
  })

  it('leads on unchanged whatever is in the address', async () => {
    const target = `${foreign}/in?q="><script>alert('1')</script>&r=%26amp;#part`
    const { link, redirectTo } = await magicLink(target)
    expect(redirectTo).toBe(new URL(target).href)
    const { url, fragment } = await openAndSubmit(server, link)
    expect(url.search).toBe(new URL(target).search)
    expect(fragment.has('access_token')).toBe(true)
  })

  it('tells who was banned meanwhile', async () => {
    const { email, link } = await magicLink(foreign)
    const form = await formOf(server, link)
    await server.database.pool.query(
      "update auth_users set banned_until = '2999-01-01' where email = $1",
      [email],
    )
    const { fragment } = redirectOf(await submit(form))
    expect(said(fragment)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' })
  })

  it('asks for both addresses before it changes one', async () => {
    const { email, id } = await newPerson(server)
    const newEmail = newAddress()
    const options = { redirectTo: foreign }
    const link = async (type: 'email_change_current' | 'email_change_new') =>
      (await ok(admin().generateLink({ type, email, newEmail, options }))).properties.action_link
    const [current, next] = [await link('email_change_current'), await link('email_change_new')]

    const first = await openAndSubmit(server, current)
    expect(Object.keys(said(first.fragment))).toEqual(['message'])
    expect((await ok(admin().getUserById(id))).user).toMatchObject({ email, new_email: newEmail })
    const second = await openAndSubmit(server, next)
    expect(second.fragment.get('type')).toBe('email_change')
    const changed = await ok(admin().getUserById(id))
    expect(changed.user.email).toBe(newEmail)
    expect(changed.user).not.toHaveProperty('new_email')
  })
})

describe('a link to anywhere else', () => {
  it.each([
    'https://evil.example',
    'https://app.example.org.evil.example/in',
    'https://app.example.org@evil.example/in',
    'javascript:alert(1)',
  ])('leads to our own application rather than to %s', async (redirectTo) => {
    const { email } = await newPerson(server)
    const { properties } = await ok(
      adminOf(server, token).generateLink({
        type: 'magiclink',
        email,
        options: { redirectTo },
      }),
    )
    expect(properties.redirect_to).toBe('http://localhost:3000/')
    const link = new URL(properties.action_link)
    link.searchParams.set('redirect_to', redirectTo)
    const { url } = redirectOf(await open(server, link))
    expect(url.origin).toBe('http://localhost:3000')

    link.searchParams.set('redirect_to', foreign)
    const form = await formOf(server, link)
    form.fields.set('redirect_to', redirectTo)
    expect(redirectOf(await submit(form)).url.origin).toBe('http://localhost:3000')
  })
})

describe('a link to our own application', () => {
  it.each(['http://localhost:3000/?status=new', 'http://localhost:3000', undefined])(
    'leads to its page, which asks for the click (%s)',
    async (redirectTo) => {
      const { email, id } = await newPerson(server)
      const { properties } = await ok(
        adminOf(server, token).generateLink({
          type: 'recovery',
          email,
          ...(redirectTo !== undefined && { options: { redirectTo } }),
        }),
      )
      for (let times = 0; times < 3; times += 1) {
        const { url, fragment } = redirectOf(await open(server, properties.action_link))
        expect(url.origin + url.pathname + url.search).toBe('http://localhost:3000/confirm')
        expect(fragment.get('type')).toBe('recovery')
        expect(fragment.get('token_hash')).toBe(properties.hashed_token)
        expect(fragment.get('redirect_to')).toBe(redirectTo?.includes('?') ? '/?status=new' : null)
      }
      const client = clientOf(server)
      const verify = () =>
        client.verifyOtp({ token_hash: properties.hashed_token, type: 'recovery' })
      expect((await ok(verify())).user?.id).toBe(id)
      await refused(verify(), 'otp_expired', 403)
    },
  )
})
