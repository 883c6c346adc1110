import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ProductImagesSandbox, startProductImages } from './product-images.ts'

const KNOWN = '012745093'
const UNKNOWN = '034208013'

async function start(): Promise<ProductImagesSandbox> {
  const provider = await startProductImages()
  onTestFinished(() => provider.close())
  return provider
}

function ask({ template }: ProductImagesSandbox, minsan: string, method = 'GET') {
  return fetch(template.replace('{minsan}', minsan), { method, redirect: 'manual' })
}

describe('the provider', () => {
  it('has pictures of the products that the sandbox knows', async () => {
    const provider = await start()
    const reply = await ask(provider, KNOWN)
    expect(reply.headers.get('content-type')).toBe('image/png')
    const picture = await sharp(Buffer.from(await reply.arrayBuffer())).metadata()
    expect(picture).toMatchObject({ format: 'png', width: 1200, height: 900 })
    // Codes can have a leading A, or lack their first digit.
    for (const code of ['013046038', '034548014']) {
      expect((await ask(provider, code, 'HEAD')).status).toBe(200)
    }
    expect((await ask(provider, UNKNOWN)).status).toBe(404)
  })

  it('says whether it has one without sending it', async () => {
    const provider = await start()
    const reply = await ask(provider, KNOWN, 'HEAD')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await reply.text()).toBe('')
    expect(provider.requests).toEqual([`HEAD ${KNOWN}`])
  })

  it.each<[string, number]>([
    ['page', 200],
    ['oversized', 200],
    ['redirect', 302],
    ['status', 500],
    ['slow', 200],
  ])('fails as it is told: %s', async (mode, status) => {
    const provider = await start()
    const control = new URL('/_control/failure', provider.template)
    await fetch(control, { method: 'POST', body: JSON.stringify({ mode, delayMs: 1 }) })
    const reply = await ask(provider, KNOWN)
    expect(reply.status).toBe(status)
    const bytes = (await reply.arrayBuffer()).byteLength
    expect(bytes > 5_000_000).toBe(mode === 'oversized')
    expect((await ask(provider, KNOWN, 'HEAD')).status).toBe(200)
  })

  it('fails in everything as it is told', async () => {
    const provider = await start()
    provider.fail({ mode: 'status', status: 503, everything: true })
    expect((await ask(provider, KNOWN, 'HEAD')).status).toBe(503)
    provider.fail({ mode: 'hang-up', everything: true })
    await expect(ask(provider, KNOWN, 'HEAD')).rejects.toThrow('fetch failed')
    provider.fail({ mode: 'ok' })
    expect((await ask(provider, KNOWN)).status).toBe(200)
  })

  it('has nothing else, and takes no failure that there is not', async () => {
    const { template } = await start()
    expect((await fetch(new URL('/images/', template))).status).toBe(404)
    const control = new URL('/_control/failure', template)
    expect((await fetch(control, { method: 'POST', body: 'odd' })).status).toBe(400)
  })
})
