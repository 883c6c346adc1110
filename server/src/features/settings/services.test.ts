import { ServiceId, ServiceState } from '@bancone/contract/services'
import { startAiWebhook } from '@bancone/sandbox/ai-webhook'
import { startAirtable } from '@bancone/sandbox/airtable'
import { type SmtpSandbox, startSmtp } from '@bancone/sandbox/smtp'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { atEnd } from '../../../test/at-end.ts'
import { type TestServer, testServer } from '../../../test/server.ts'
import type { Settings } from '../../wiring/wiring.ts'

let server: TestServer
let admin: { authorization: string }
let airtable: Awaited<ReturnType<typeof startAirtable>>
let assistant: Awaited<ReturnType<typeof startAiWebhook>>
let smtp: SmtpSandbox

/** The sandbox's certificate is self-signed. */
const smtpUrl = () => `${smtp.url}?tls.rejectUnauthorized=false`

const from = 'Bancone <bancone@example.it>'

beforeAll(async () => {
  airtable = await startAirtable({ bases: {} })
  assistant = await startAiWebhook()
  smtp = await startSmtp({
    login: { user: 'u', password: 'the password of the mails' },
    tls: 'starttls',
  })
  for (const { close } of [airtable, assistant, smtp]) atEnd(close)
  const mail: Settings['mail'] = { smtpUrl: smtpUrl(), from, outbox: '/nowhere' }
  server = await testServer({
    airtable: { apiUrl: airtable.url, token: airtable.token },
    products: { aiWebhookUrl: assistant.url },
    mail,
    checkTimeLimitMs: 3_000,
  })
  await server.addAdministrator({ email: 'admin@example.it' })
  admin = await server.signIn('admin@example.it')
})

async function check(id: ServiceId, { app } = server, headers = admin) {
  const url = `/api/admin/services/${id}/checks`
  const reply = await app.inject({ method: 'POST', url, headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return z.object({ service: ServiceState }).parse(reply.json()).service
}

describe('an outside service', () => {
  it('is checked as it is used, and says what is not configured', async () => {
    const states = []
    for (const id of ServiceId.options) states.push(await check(id))
    const found = states.map(({ id, setup, lastSuccess, lastFailure }) => [
      id,
      setup,
      lastFailure?.problem ?? (lastSuccess === null ? 'never' : 'works'),
    ])
    expect(found).toEqual([
      ['database', 'configured', 'works'],
      ['airtable', 'configured', 'works'],
      ['mail', 'configured', 'works'],
      ['files', 'local', 'works'],
      ['cloudinary', 'missing', 'never'],
      ['assistant', 'configured', 'works'],
      ['product_images', 'missing', 'never'],
      ['identity_provider', 'missing', 'never'],
      ['medicine_register', 'missing', 'never'],
      ['push', 'configured', 'works'],
      ['meta', 'missing', 'never'],
    ])
    const url = '/api/admin/services'
    const reply = await server.app.inject({ method: 'GET', url, headers: admin })
    expect(reply.json()).toEqual({ services: states })
    for (const secret of [airtable.token, 'the password', new URL(assistant.url).host]) {
      expect(reply.body).not.toContain(secret)
    }
  })

  it('that fails says how, and keeps its last success', async () => {
    const works = await check('assistant')
    assistant.fail({ mode: 'garbage', times: 1 })
    const { lastFailure, ...rest } = await check('assistant')
    expect(lastFailure?.problem).toBe('malformed')
    expect(rest.lastSuccess).toBe(works.lastSuccess)
    assistant.fail({ mode: 'silent', times: 1 })
    expect((await check('assistant')).lastFailure?.problem).toBe('timeout')
    smtp.fail({ mode: 'refuse', at: 'connection', code: 421 })
    expect((await check('mail')).lastFailure?.problem).toBe('unreachable')
  })

  it('that refuses its credentials says so', async () => {
    const address = new URL(smtpUrl())
    address.password = 'wrong'
    smtp.fail({ mode: 'ok' })
    const other = await testServer({
      airtable: { apiUrl: airtable.url, token: 'patWrong' },
      mail: { smtpUrl: String(address), from, outbox: '/nowhere' },
    })
    await other.addAdministrator({ email: 'admin@example.it' })
    const headers = await other.signIn('admin@example.it')
    for (const id of ['airtable', 'mail'] as const) {
      expect([id, (await check(id, other, headers)).lastFailure?.problem]).toEqual([id, 'refused'])
    }
  })

  it('is not checked without end', async () => {
    const url = '/api/admin/services/database/checks'
    const replies = await Promise.all(
      Array.from({ length: 31 }, () => server.app.inject({ method: 'POST', url, headers: admin })),
    )
    expect(replies.some(({ statusCode }) => statusCode === 429)).toBe(true)
  })
})
