import { type AiWebhookSandbox, startAiWebhook } from '@bancone/sandbox/ai-webhook'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureOf as errorOf } from '../../../test/failure-of.ts'
import { foreignServer } from '../../../test/foreign-server.ts'
import { createOutbound } from '../../platform/outbound.ts'
import { AssistantError } from '../../ports/product-assistant.ts'
import { type AiWebhookOptions, createAiWebhook } from './ai-webhook.ts'

const REQUEST = { productName: 'Tachipirina', pharmacyId: 'PHARM-0001', category: 'Generale' }

async function start(options: Partial<AiWebhookOptions> = {}) {
  const webhook = await startAiWebhook()
  onTestFinished(() => webhook.close())
  return { webhook, assistant: assistantAt(webhook.url, options) }
}

function assistantAt(url: string, options: Partial<AiWebhookOptions> = {}) {
  const outbound = createOutbound({ allow: [new URL(url).origin] })
  onTestFinished(() => outbound.close())
  return createAiWebhook({ url, fetch: outbound.fetch, retryMs: 1, ...options })
}

const failureOf = (work: Promise<unknown>) => errorOf(work, AssistantError)

const asked = ({ requests }: AiWebhookSandbox) => requests.length

describe('the webhook', () => {
  it('is sent three fields and nothing else', async () => {
    const { webhook, assistant } = await start()
    // An additional field that must not be sent.
    const more = { ...REQUEST, email: 'farmacia@example.it', userId: 'u' }
    await assistant.draft(more)
    expect(webhook.requests.map(({ body }) => body)).toEqual([REQUEST])
    expect(webhook.requests[0]?.headers).toEqual({
      accept: 'application/json, text/plain;q=0.5',
      'accept-encoding': 'gzip',
      connection: 'keep-alive',
      'content-length': String(JSON.stringify(REQUEST).length),
      'content-type': 'application/json',
      host: new URL(webhook.url).host,
      'user-agent': 'Bancone',
    })
  })

  it('is answered by, in fields', async () => {
    const { assistant } = await start()
    expect(await assistant.draft(REQUEST)).toMatchObject({ price: '€ 5,90', minsan: '012745093' })
  })

  it('is answered by, in an output', async () => {
    const { assistant } = await start()
    const request = { ...REQUEST, productName: 'Enterogermina' }
    expect(await assistant.draft(request)).toMatchObject({ price: '12,50 €', minsan: 'A013046038' })
  })

  it('is answered by, in plain text', async () => {
    const { webhook, assistant } = await start()
    webhook.answer({ contentType: 'text/plain', body: 'Una crema' })
    const reply = { description: 'Una crema', price: null, minsan: null }
    expect(await assistant.draft(REQUEST)).toEqual(reply)
  })

  it('is told the name and the password in its address, and they are not in the address', async () => {
    const seen: unknown[] = []
    const there = await foreignServer((request, response) => {
      seen.push(request.url, request.headers.authorization)
      response.end('{"output":"ok"}')
    })
    const url = `${there.origin.replace('//', '//n8n:p%40ss%3A@')}/hook?token=1`
    await assistantAt(url).draft(REQUEST)
    expect(seen).toEqual(['/hook?token=1', `Basic ${btoa('n8n:p@ss:')}`])
  })
})

describe('a webhook that fails', () => {
  it.each([400, 401, 404, 429, 500, 503])('with %i is not asked again', async (status) => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode: 'status', status })
    expect(await failureOf(assistant.draft(REQUEST))).toMatchObject({ kind: 'status', status })
    expect(asked(webhook)).toBe(1)
  })

  it.each(['garbage', 'oversized'] as const)('with an answer that is %s', async (mode) => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode })
    expect((await failureOf(assistant.draft(REQUEST))).kind).toBe('unreadable')
    expect(asked(webhook)).toBe(1)
  })

  it('by a redirect is not followed to a private address', async () => {
    const inside = await foreignServer((_request, response) => response.end('{"output":"secret"}'))
    const { webhook, assistant } = await start()
    for (const location of [inside.url, 'http://169.254.169.254/', `${webhook.url}?again`]) {
      webhook.fail({ mode: 'redirect', location })
      const failure = await failureOf(assistant.draft(REQUEST))
      expect(failure).toMatchObject({ kind: 'status', status: 302 })
    }
    expect([inside.requestCount, asked(webhook)]).toEqual([0, 3])
  })

  it('by silence is not waited for longer than it may take, and not asked again', async () => {
    const { webhook, assistant } = await start({ timeLimitMs: 200 })
    webhook.fail({ mode: 'silent' })
    expect((await failureOf(assistant.draft(REQUEST))).kind).toBe('timeout')
    expect(asked(webhook)).toBe(1)
    await expect.poll(() => webhook.givenUp()).toBe(1)
  })

  it('has the same time for two tries as for one', async () => {
    const { webhook } = await start()
    const outbound = createOutbound({ allow: [new URL(webhook.url).origin] })
    onTestFinished(() => outbound.close())
    const limits: number[] = []
    const assistant = createAiWebhook({
      url: webhook.url,
      timeLimitMs: 60_000,
      retryMs: 200,
      fetch(url, request) {
        limits.push(request.timeLimitMs)
        return outbound.fetch(url, request)
      },
    })
    webhook.fail({ mode: 'hang-up', times: 1 })
    await assistant.draft(REQUEST)
    const [first = 0, second = 0] = limits
    // The pause between them counts; a timer may be a little early.
    expect(first - second).toBeGreaterThanOrEqual(190)
  })

  it('by hanging up once is asked again', async () => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode: 'hang-up', times: 1 })
    expect((await assistant.draft(REQUEST)).minsan).toBe('012745093')
    expect(asked(webhook)).toBe(2)
  })

  it('by hanging up twice is not asked a third time', async () => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode: 'hang-up', times: 2 })
    expect((await failureOf(assistant.draft(REQUEST))).kind).toBe('unreachable')
    expect(asked(webhook)).toBe(2)
  })

  it('by hanging up in its answer is not asked again: it has done its work', async () => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode: 'half' })
    expect((await failureOf(assistant.draft(REQUEST))).kind).toBe('unreachable')
    expect(asked(webhook)).toBe(1)
  })

  it('by not being there', async () => {
    const { webhook, assistant } = await start()
    await webhook.close()
    const failure = await failureOf(assistant.draft(REQUEST))
    expect(failure.kind).toBe('unreachable')
    expect(`${failure.message} ${String(failure.cause)}`).not.toContain('127.0.0.1')
  })
})

describe('a draft that is aborted', () => {
  it('ends, and so does the request', async () => {
    const { webhook, assistant } = await start()
    webhook.fail({ mode: 'silent' })
    const given = new AbortController()
    const drafting = assistant.draft(REQUEST, given.signal)
    await expect.poll(() => asked(webhook)).toBe(1)
    given.abort()
    await expect(drafting).rejects.toThrow('aborted')
    await expect.poll(() => webhook.givenUp()).toBe(1)
    expect(asked(webhook)).toBe(1)
  })

  it('is not tried again', async () => {
    const { webhook, assistant } = await start({ retryMs: 60_000 })
    webhook.fail({ mode: 'hang-up' })
    const given = new AbortController()
    const drafting = assistant.draft(REQUEST, given.signal)
    await expect.poll(() => asked(webhook)).toBe(1)
    given.abort()
    await expect(drafting).rejects.toThrow('aborted')
    expect(asked(webhook)).toBe(1)
  })
})
