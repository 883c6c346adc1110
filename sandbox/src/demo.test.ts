import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OrderStatus } from '@bancone/contract/orders'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createFolder } from '../test/folder.ts'
import { officialTable } from '../test/start.ts'
import { DEMO_OPENID, startDemoAirtable, startDemoOpenId, startDemoProducts } from './demo.ts'
import { MIGRATION_BASE_ID, MIGRATION_TABLE_ID } from './demo-migration.ts'
import { DEMO_BASE_ID, DEMO_TABLE_ID, DEMO_TOKEN } from './demo-orders.ts'
import { visitOpenId } from './openid.ts'

async function startDemo(options: { dir?: string; orderEverySeconds?: number } = {}) {
  const dir = options.dir ?? createFolder()
  const airtable = await startDemoAirtable({ orderEverySeconds: 0, ...options, dir })
  onTestFinished(() => airtable.close().catch(() => {}))
  return { airtable, dir, all: () => airtable.all(DEMO_BASE_ID, DEMO_TABLE_ID) }
}

describe('the Airtable of the demo', () => {
  it('is read by the official client, in five pages, with pictures that are there', async () => {
    const { airtable } = await startDemo()
    expect(airtable.token).toBe(DEMO_TOKEN)
    const orders = officialTable(airtable, { base: DEMO_BASE_ID, table: DEMO_TABLE_ID })
    const all = await orders.select().all()
    expect(all).toHaveLength(480)
    expect(airtable.requests()).toMatchObject({ total: 5, byMethod: { GET: 5 }, limited: 0 })
    expect(new Set(all.map((record) => record.get('Stato')))).toEqual(new Set(OrderStatus.options))
    const image = all.map((record) => record.get('Image')).find((url) => typeof url === 'string')
    expect((await fetch(image ?? '')).status).toBe(200)
  })

  it('leaves out what an order does not have', async () => {
    const { all } = await startDemo()
    for (const column of ['Phone Number', 'Indirizzo', 'Image']) {
      const having = all().filter(({ fields }) => column in fields).length
      expect(having).toBeGreaterThan(0)
      expect(having).toBeLessThan(480)
    }
  })

  it('keeps its orders, and does not add to them at the next start', async () => {
    const first = await startDemo()
    const before = first.all()
    first.airtable.update(DEMO_BASE_ID, DEMO_TABLE_ID, before[3]?.id ?? '', { Stato: 'Annullato' })
    await first.airtable.close()
    expect(existsSync(join(first.dir, 'airtable.jsonl'))).toBe(true)
    const { airtable, all } = await startDemo({ dir: first.dir })
    expect(airtable.url).toBe(first.airtable.url)
    expect(all().map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(all()[3]?.fields['Stato']).toBe('Annullato')
  })

  it('starts all the same where its port of last time is in use', async () => {
    const { airtable, dir } = await startDemo()
    const copy = createFolder()
    await copyFile(join(dir, 'airtable-port'), join(copy, 'airtable-port'))
    const other = await startDemo({ dir: copy })
    expect(other.airtable.url).not.toBe(airtable.url)
    expect(other.all()).toHaveLength(480)
  })
})

describe('new orders', () => {
  it('come every so often, until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { airtable, all } = await startDemo({ orderEverySeconds: 45 })
    vi.advanceTimersByTime(44_999)
    expect(all()).toHaveLength(480)
    vi.advanceTimersByTime(1)
    expect(all()).toHaveLength(481)
    vi.advanceTimersByTime(90_000)
    const late = all().slice(480)
    expect(late.map(({ fields }) => [fields['ID Ordine'], fields['Stato']])).toEqual([
      [481, 'In attesa'],
      [482, 'In attesa'],
      [483, 'In attesa'],
    ])
    expect(late.at(-1)?.createdTime).toBe(new Date().toISOString())
    expect(new Set(late.map(({ fields }) => fields['Ordine'])).size).toBe(3)
    await airtable.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are others than those before, after a start anew', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const first = await startDemo({ orderEverySeconds: 45 })
    vi.advanceTimersByTime(45_000)
    await first.airtable.close()
    const again = await startDemo({ dir: first.dir, orderEverySeconds: 45 })
    vi.advanceTimersByTime(45_000)
    const [one, two] = again.all().slice(480)
    expect(two?.fields['Ordine']).toBeDefined()
    expect(two?.fields['Cliente']).not.toBe(one?.fields['Cliente'])
  })
})

describe('the helpers with products of the demo', () => {
  it('draft a product, and have the picture of its code', async () => {
    const demo = await startDemoProducts()
    onTestFinished(() => demo.close())
    const asked = { productName: 'Tachipirina', pharmacyId: 'PHARM-0001', category: 'Generale' }
    const reply = await fetch(demo.aiWebhookUrl, { method: 'POST', body: JSON.stringify(asked) })
    const { Minsan } = z.object({ Minsan: z.string() }).parse(await reply.json())
    const picture = await fetch(demo.productImageUrl.replace('{minsan}', Minsan))
    expect(picture.headers.get('content-type')).toBe('image/png')
  })
})

describe('the other service of the demo', () => {
  it('knows those it is told of, and loads what it needs at the first request', async () => {
    const emails = ['farmacia@demo.bancone.it', 'ospite@demo.bancone.it']
    const redirectUri = 'http://localhost:3000/auth/v1/callback'
    const { issuer, close } = await startDemoOpenId(redirectUri, emails)
    onTestFinished(close)
    const query = new URLSearchParams({
      client_id: DEMO_OPENID.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })
    for (const email of emails) {
      const back = await visitOpenId(`${issuer}/auth?${query.toString()}`, email)
      expect(back.searchParams.has('code')).toBe(true)
    }
  })
})

describe('the base whose orders are to be moved', () => {
  it('has 2,000 orders, of which seven are broken', async () => {
    const { airtable } = await startDemo()
    const all = airtable.all(MIGRATION_BASE_ID, MIGRATION_TABLE_ID)
    expect(all).toHaveLength(2_000)
    const isText = (value: unknown) => value === undefined || typeof value === 'string'
    const broken = all.filter(({ fields }) => {
      const hasUrl = !('Image' in fields) || JSON.stringify(fields['Image']).includes('"url"')
      const texts = ['Cliente', 'Phone Number', 'Indirizzo', 'Ordine', 'Stato']
      return !hasUrl || 'Created' in fields || texts.some((name) => !isText(fields[name]))
    })
    expect(broken).toHaveLength(7)
  })
})
