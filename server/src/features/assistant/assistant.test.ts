import type { AddressInfo } from 'node:net'
import { ProductDraft as Draft, type ProductDraft } from '@bancone/contract/assistant'
import { ErrorBody } from '@bancone/contract/errors'
import { type AiWebhookSandbox, startAiWebhook } from '@bancone/sandbox/ai-webhook'
import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { otherApp, type TestServer, testServer } from '../../../test/server.ts'

type Headers = { authorization: string }

const lines: string[] = []
let webhook: AiWebhookSandbox
let server: TestServer
let headers: Headers
let code: string
let made = 0

beforeAll(async () => {
  webhook = await startAiWebhook()
  atEnd(() => webhook.close())
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const url = webhook.url.replace('//', '//n8n:key-of-n8n@')
  server = await testServer({ products: { aiWebhookUrl: url } }, log)
})

beforeEach(async () => {
  webhook.fail({ mode: 'ok' })
  lines.length = 0
  ;({ headers, code } = await pharmacy(server))
})

async function pharmacy(of: TestServer, features = ['offers']) {
  made += 1
  const email = `assistant-${made}@example.it`
  await of.addPharmacy({ email, code: `AI-${made}`, features })
  return { code: `AI-${made}`, headers: await of.signIn(email) }
}

function ask(payload: object, as = headers, of: Pick<TestServer, 'app'> = server) {
  const url = '/api/assistant/product-drafts'
  return of.app.inject({ method: 'POST', url, headers: as, payload })
}

async function draft(productName: string): Promise<ProductDraft> {
  const reply = await ask({ productName })
  expect(reply.statusCode, reply.body).toBe(200)
  return Draft.parse(reply.json())
}

async function failure(productName = 'Tachipirina', as = headers) {
  const reply = await ask({ productName }, as)
  const { code: errorCode, error } = ErrorBody.parse(reply.json())
  return [reply.statusCode, errorCode, error]
}

const asked = () => webhook.requests.length

describe('a draft of a product', () => {
  it('has a description, a price and a code', async () => {
    const { description, ...rest } = await draft('Tachipirina 500 mg')
    expect(description).toContain('paracetamolo')
    expect(rest).toEqual({
      price: { text: '€ 5,90', cents: 590, problem: null },
      minsan: { text: '012745093', code: '012745093', problem: null },
    })
  })

  it('costs the name, the category and the code of the pharmacy, and nothing else', async () => {
    await ask({ productName: ' Oki ', category: 'Igiene' })
    await draft('Oki')
    expect(webhook.requests.slice(-2).map(({ body }) => body)).toEqual([
      { productName: 'Oki', pharmacyId: code, category: 'Igiene' },
      { productName: 'Oki', pharmacyId: code, category: 'Generale' },
    ])
  })

  it('is not in the log, nor is the address of the workflow, whatever becomes of it', async () => {
    await draft('Tachipirina')
    for (const fault of ['errore 500', 'errore 404', 'illeggibile', 'interruzione']) {
      await failure(`Prova ${fault}`)
    }
    const text = lines.join('')
    expect(text).toContain('assistant.unreadable')
    for (const secret of [
      'Tachipirina',
      'paracetamolo',
      '012745093',
      'Prova',
      code,
      'key-of-n8n',
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toContain(new URL(webhook.url).host)
  })
})

describe('a workflow that fails', () => {
  it.each([500, 404])('with %i is told with its number', async (status) => {
    webhook.fail({ mode: 'status', status })
    expect(await failure()).toEqual([502, 'assistant.failed', `Errore API: ${status}`])
  })

  it.each([
    ['garbage', 502, 'assistant.unreadable', 'la risposta del servizio non è leggibile.'],
    ['oversized', 502, 'assistant.unreadable', 'la risposta del servizio non è leggibile.'],
    ['redirect', 502, 'assistant.failed', 'Errore API: 302'],
    ['hang-up', 502, 'assistant.unreachable', 'il servizio non è raggiungibile. Riprova tra poco.'],
    ['half', 502, 'assistant.unreachable', 'il servizio non è raggiungibile. Riprova tra poco.'],
  ] as const)('by being %s is told', async (mode, ...told) => {
    webhook.fail({ mode })
    expect(await failure()).toEqual(told)
  })

  it('by being silent is told after the time limit', async () => {
    const products = { aiWebhookUrl: webhook.url, aiTimeLimitMs: 100 }
    const { app } = await otherApp(server.database, { products })
    webhook.fail({ mode: 'silent' })
    const reply = await ask({ productName: 'Oki' }, headers, { app })
    const { code: errorCode, error } = ErrorBody.parse(reply.json())
    expect([reply.statusCode, errorCode, error]).toEqual([
      504,
      'assistant.timeout',
      'nessuna risposta entro 30 secondi.',
    ])
  })

  it('once by hanging up is not noticed', async () => {
    webhook.fail({ mode: 'hang-up', times: 1 })
    expect((await draft('Oki')).minsan?.text).toBe('028511099')
  })

  it('is none where none is configured', async () => {
    const bare = await testServer()
    const { headers: theirs } = await pharmacy(bare)
    for (let times = 0; times < 21; times += 1) {
      const reply = await ask({ productName: 'Oki' }, theirs, bare)
      expect(ErrorBody.parse(reply.json()).code).toBe('assistant.not_configured')
    }
  })
})

describe('a pharmacy', () => {
  it('has two drafts at once at most, which are no matter to others', async () => {
    webhook.fail({ mode: 'slow', delayMs: 300 })
    const other = await pharmacy(server)
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => ask({ productName: 'Oki' })),
      ask({ productName: 'Oki' }, other.headers),
    ])
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.slice(0, 4).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429])
    expect(statuses[4]).toBe(200)
    const refused = replies.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toMatchObject({ code: 'assistant.too_many' })
    expect(refused?.headers['retry-after']).toBe('5')
    webhook.fail({ mode: 'ok' })
    await draft('Oki')
  })

  it('has twenty drafts in ten minutes, failed ones too', async () => {
    for (let times = 0; times < 19; times += 1) await draft('Oki')
    await failure('Prova errore 500')
    const before = asked()
    const reply = await ask({ productName: 'Oki' })
    expect([reply.statusCode, reply.json()]).toMatchObject([429, { code: 'assistant.too_many' }])
    const wait = Number(reply.headers['retry-after'])
    expect(wait).toBeGreaterThan(500)
    expect(wait).toBeLessThanOrEqual(600)
    expect(asked()).toBe(before)
    const other = await pharmacy(server)
    expect((await ask({ productName: 'Oki' }, other.headers)).statusCode).toBe(200)
  })

  it('that goes away ends the request, and has its place again', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    webhook.fail({ mode: 'silent' })
    const [before, left] = [asked(), webhook.givenUp()]
    const leaving = new AbortController()
    const drafts = [1, 2].map(() =>
      fetch(`http://127.0.0.1:${port}/api/assistant/product-drafts`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"productName":"Oki"}',
        signal: leaving.signal,
      }),
    )
    await expect.poll(() => asked()).toBe(before + 2)
    leaving.abort()
    await Promise.allSettled(drafts)
    await expect.poll(() => webhook.givenUp()).toBe(left + 2)
    webhook.fail({ mode: 'ok' })
    await expect.poll(async () => (await ask({ productName: 'Oki' })).statusCode).toBe(200)
    expect(lines.join('')).not.toContain('request failed')
  })
})
