import { startOpenId, visitOpenId } from '@bancone/sandbox/openid'
import { expect, it } from 'vitest'
import { atEnd } from '../at-end.ts'
import { capturedLog } from '../captured-log.ts'
import { createBrowser, PROVIDER } from '../external-sign-in.ts'
import { testAuth, testServer } from '../server.ts'

/** Pitfall 20: tokens, codes and personal data of external sign-ins are not logged. */

it('what passes between us and another service is in no log, whether it goes well or not', async () => {
  const { lines, log } = capturedLog('trace')
  const client = { clientId: 'bancone', clientSecret: 'a secret of the tests' }
  const redirectUris = ['http://localhost:3000/auth/v1/callback']
  const email = 'segreta@example.it'
  const there = await startOpenId({ ...client, redirectUris, accounts: [{ email }] })
  atEnd(there.close)
  const oidc = { ...client, provider: PROVIDER, name: 'DemoID', issuer: there.issuer }
  const server = await testServer({ auth: { ...testAuth, oidc } }, log)
  await server.addUser(email)

  const hidden = new Set([client.clientSecret, email])
  const authorize = `http://localhost:3000/auth/v1/authorize?provider=${PROVIDER}&login_hint=${email}`
  const browser = createBrowser(server)
  async function goThere(): Promise<URL> {
    const away = await browser.openProvider(authorize)
    const back = await visitOpenId(away, email)
    for (const name of ['state', 'nonce', 'code_challenge']) {
      hidden.add(away.searchParams.get(name) ?? '')
    }
    hidden.add(back.searchParams.get('code') ?? '')
    for (const value of browser.cookies.values()) hidden.add(value)
    return back
  }
  const { fragment } = await browser.handleCallback(await goThere())
  hidden.add(fragment.get('access_token') ?? '').add(fragment.get('refresh_token') ?? '')

  const denied = await goThere()
  denied.searchParams.set('error_description', 'said-there')
  denied.searchParams.set('error', 'invalid_scope')
  const failing = await goThere()
  const again = await goThere()
  const outcomes = [(await browser.handleCallback(denied)).error]
  there.fail({
    mode: 'status',
    status: 400,
    path: '/token',
    body: { error: 'x', hint: 'said-there' },
  })
  outcomes.push((await browser.handleCallback(failing)).error)
  there.fail({ mode: 'hang-up', path: '/token' })
  outcomes.push(
    (await browser.handleCallback(again)).error,
    (await browser.handleCallback(again)).error,
  )
  there.fail({ mode: 'ok' })
  expect(outcomes).toEqual([
    'bad_oauth_callback',
    'bad_oauth_callback',
    'unexpected_failure',
    'bad_oauth_state',
  ])
  for (const claims of [{ aud: 'another' }, {}]) {
    const id_token = there.idToken(email, claims)
    hidden.add(id_token)
    const payload = { provider: PROVIDER, id_token }
    await server.app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=id_token', payload })
  }

  const text = lines.join('\n')
  expect(text).toContain('external sign-in failed')
  expect(text).not.toContain('said-there')
  expect(hidden.has('')).toBe(false)
  for (const secret of hidden) expect(text).not.toContain(secret)
})
