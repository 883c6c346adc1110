import { parseMinsan } from '@bancone/contract/minsan'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { AiFailure } from './ai-webhook/failures.ts'
import { type AiWebhookSandbox, startAiWebhook } from './ai-webhook.ts'

const Fields = z.object({
  Descrizione: z.string().min(20),
  Prezzo: z.union([z.string(), z.number()]),
  Minsan: z.string(),
})
const Output = z.object({ output: z.string() })

async function start(): Promise<AiWebhookSandbox> {
  const webhook = await startAiWebhook()
  onTestFinished(() => webhook.close())
  return webhook
}

function ask({ url }: AiWebhookSandbox, productName: string, request: RequestInit = {}) {
  const asked = { productName, pharmacyId: 'PHARM-0001', category: 'Dermocosmesi' }
  return fetch(url, { method: 'POST', body: JSON.stringify(asked), ...request })
}

describe('the webhook', () => {
  it('answers with fields', async () => {
    const reply = await ask(await start(), 'Tachipirina 500 mg')
    const { Minsan, Prezzo } = Fields.parse(await reply.json())
    expect(parseMinsan(Minsan)?.check).toBe('valid')
    expect(Prezzo).toBe('€ 5,90')
  })

  it('answers with an output that holds them, alone, in a list or between fences', async () => {
    const webhook = await start()
    const replyTo = async (name: string) => (await ask(webhook, name)).json()
    const inside = (json = '') => Fields.parse(JSON.parse(json))
    const alone = Output.parse(await replyTo('aspirina'))
    expect(inside(alone.output).Prezzo).toBe(7.9)
    const [listed] = z.tuple([Output]).parse(await replyTo('Voltaren Emulgel'))
    expect(inside(listed.output).Minsan).toHaveLength(8)
    const fenced = Output.parse(await replyTo('Enterogermina'))
    expect(inside(/```json\n(.*)\n```/.exec(fenced.output)?.[1]).Minsan).toBe('A013046038')
  })

  it('knows codes that cannot be checked or are wrong, and prices that are none', async () => {
    const webhook = await start()
    const codeOf = async (name: string) =>
      Fields.parse(await (await ask(webhook, name)).json()).Minsan
    expect(parseMinsan(await codeOf('Crema solare'))?.check).toBe('unverified')
    expect(parseMinsan(await codeOf('Oki bustine'))?.check).toBe('wrong')
    const { output } = Output.parse(await (await ask(webhook, 'Gaviscon')).json())
    expect(Fields.parse(JSON.parse(output))).toMatchObject({ Prezzo: 'circa 12 euro', Minsan: '' })
  })

  it('has for what it does not know a plain description as its output', async () => {
    const reply = await ask(await start(), 'Balsamo di tigre')
    const { output } = Output.parse(await reply.json())
    expect(output).toContain('Balsamo di tigre')
    expect(output).toContain('Dermocosmesi')
  })

  it('remembers what came, and takes nothing but what was agreed', async () => {
    const webhook = await start()
    const more = {
      productName: 'Oki',
      pharmacyId: 'PHARM-0001',
      category: 'Altro',
      email: 'a@b.it',
    }
    for (const body of [JSON.stringify(more), '{}', 'nothing']) {
      expect((await ask(webhook, 'Oki', { body })).status).toBe(400)
    }
    await ask(webhook, 'Oki')
    expect(webhook.requests.map(({ body }) => body)).toEqual([
      more,
      {},
      undefined,
      { productName: 'Oki', pharmacyId: 'PHARM-0001', category: 'Dermocosmesi' },
    ])
  })
})

describe('when it is told to fail', () => {
  it.each<[AiFailure['mode'], (reply: Response) => Promise<void>]>([
    ['garbage', (reply) => expect(reply.json()).rejects.toThrow('JSON')],
    ['half', (reply) => expect(reply.text()).rejects.toThrow('terminated')],
    ['oversized', async (reply) => expect((await reply.text()).length).toBeGreaterThan(10_000_000)],
    [
      'redirect',
      async (reply) => {
        expect(reply.status).toBe(302)
        expect(reply.headers.get('location')).toContain('169.254.169.254')
      },
    ],
    ['slow', async (reply) => expect(reply.status).toBe(200)],
  ])('it can be %s', async (mode, check) => {
    const webhook = await start()
    webhook.fail({ mode, delayMs: 1 })
    await check(await ask(webhook, 'Oki', { redirect: 'manual' }))
  })

  it('it can be silent, and notes who went away', async () => {
    const webhook = await start()
    webhook.fail({ mode: 'silent' })
    const asked = new AbortController()
    const waiting = ask(webhook, 'Oki', { signal: asked.signal })
    await expect.poll(() => webhook.requests.length).toBe(1)
    asked.abort()
    await expect(waiting).rejects.toThrow('aborted')
    await expect.poll(() => webhook.givenUp()).toBe(1)
  })

  it('it can be told by another process', async () => {
    const webhook = await start()
    const control = new URL('/_control/failure', webhook.url)
    await fetch(control, { method: 'POST', body: '{"mode":"status","status":404}' })
    expect((await ask(webhook, 'Oki')).status).toBe(404)
    expect((await fetch(control, { method: 'POST', body: '{"mode":"odd"}' })).status).toBe(400)
  })

  it('it can be told by the name of a product, for that one', async () => {
    const webhook = await start()
    expect((await ask(webhook, 'Prova errore 503')).status).toBe(503)
    await expect((await ask(webhook, 'prova illeggibile')).json()).rejects.toThrow('JSON')
    await expect(ask(webhook, ' Prova interruzione ')).rejects.toThrow('fetch failed')
    expect((await ask(webhook, 'Oki')).status).toBe(200)
  })
})
