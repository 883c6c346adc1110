import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublicOffers } from '@bancone/contract/public-offers'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { shownOffer, shownOffers } from '../../../../test/shown-offers.ts'
import { filesIn, temporaryFolder } from '../../../../test/temporary-folder.ts'
import { handleErrors } from '../../../http/error-handler.ts'
import { createTemporaryFiles } from '../../../platform/temporary-files.ts'
import { PictureRendererError } from '../../../ports/picture-renderer.ts'
import type { CardRenderer, ShareCard } from '../../../ports/share-card.ts'
import { shareImageRoutes } from '../public-offers.wiring.ts'
import { createShareImages, shareImagePath } from './share-images.service.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const SHORTLY = 'public, max-age=60'

let app: FastifyInstance
let folder: string
/** What is shown now. */
let shown: PublicOffers
/** The cards that were drawn, their photographs by what is in them. */
let drawn: ShareCard[]
/** What a card comes to. */
let draw: (card: ShareCard) => Promise<Buffer | 'unreadable'>
/** Pictures that are to be had. */
let there: Set<string>

const cards: CardRenderer = {
  async renderCard(card, to) {
    const read = async (path: string | null) => (path === null ? null : readFile(path, 'utf8'))
    const seen =
      card.kind === 'offer'
        ? { ...card, photo: await read(card.photo) }
        : { ...card, photos: await Promise.all(card.photos.map((path) => readFile(path, 'utf8'))) }
    drawn.push(seen)
    const bytes = await draw(seen)
    if (bytes === 'unreadable') return bytes
    await writeFile(to, bytes)
    return { width: 1200, height: 630, bytes: bytes.byteLength }
  },
}

beforeEach(async () => {
  folder = await temporaryFolder()
  drawn = []
  there = new Set(['/a', '/b'])
  draw = async (card) => Buffer.from(JSON.stringify(card))
  shown = shownOffers([offer()])
  const temporaryFiles = createTemporaryFiles(folder)
  const images = createShareImages({
    content: async (code) =>
      code.toUpperCase() === 'PHARM-0001'
        ? shown
        : { ...shown, offers: [], pharmacy: null, error: 'Farmacia non trovata' },
    photos: {
      async file(url) {
        if (!there.has(url)) return undefined
        const file = await temporaryFiles.create()
        await writeFile(file.path, url)
        return file
      },
    },
    cards,
    temporaryFiles,
    log: { warn: () => undefined },
    retryMs: 20,
  })
  app = Fastify()
  handleErrors(app)
  shareImageRoutes(app, images)
  onTestFinished(() => app.close())
})

const id = '00000000-0000-4000-8000-000000000001'
const offer = (fields: Parameters<typeof shownOffer>[0] = {}) => shownOffer({ id, ...fields })
const priced = (Prezzo_Offerta: number) => shownOffers([offer({ fields: { Prezzo_Offerta } })])

/** Where the picture of what is shown now is. */
const path = (of: string | null = id) => shareImagePath(shown, of) ?? 'none'
const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('the picture of a link', () => {
  it('is there for ever under its address, for everybody, and never run', async () => {
    const reply = await open(path())
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { price: '8,00\u00a0€' }])
    expect(reply.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(reply.rawPayload.byteLength),
      'cache-control': FOREVER,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(await filesIn(folder)).toEqual([])
  })

  it('is not sent to who has it', async () => {
    const { headers } = await open(path())
    const again = await open(path(), { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([
      304,
      '',
      FOREVER,
    ])
    expect((await open(path(), { 'if-none-match': '"x"' })).statusCode).toBe(200)
  })

  it('is of the pharmacy where no offer is named, whatever the case of its code', async () => {
    const reply = await open(path(null).replace('PHARM', 'pharm'))
    expect(reply.json()).toMatchObject({ kind: 'pharmacy', count: '1 offerta' })
    expect(reply.headers['cache-control']).toBe(FOREVER)
  })

  it('of an older address is the current one, for a while', async () => {
    const old = path()
    shown = priced(700)
    const reply = await open(old)
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { price: '7,00\u00a0€' }])
    expect(reply.headers['cache-control']).toBe(SHORTLY)
    expect(reply.headers.etag).toBe((await open(path())).headers.etag)
    expect(drawn).toHaveLength(1)
  })

  it('of no address that there ever was costs no drawing', async () => {
    await open(path())
    for (let made = 0; made < 50; made += 1) {
      const name = `${made}`.padStart(12, 'x')
      const reply = await open(`/share/offers/PHARM-0001/${id}/${name}.jpg`)
      expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, SHORTLY])
    }
    expect(drawn).toHaveLength(1)
  })

  it('is not there any more when its offer is gone', async () => {
    const old = path()
    const pharmacy = path(null)
    await open(old)
    shown = { ...shown, offers: [] }
    expect((await open(old)).statusCode).toBe(404)
    expect((await open(pharmacy)).statusCode).toBe(200)
    shown = { ...shown, error: 'Farmacia non attiva' }
    expect((await open(pharmacy)).statusCode).toBe(404)
  })

  it.each([
    `/share/offers/NESSUNA/${'x'.repeat(12)}.jpg`,
    `/share/offers/NESSUNA/${id}/${'x'.repeat(12)}.jpg`,
    '/share/offers/PHARM-0001/x.jpg',
    `/share/offers/PHARM-0001/${'x'.repeat(12)}.png`,
    `/share/offers/PHARM-0001/nessuna/${'x'.repeat(12)}.jpg`,
    '/share/offers/PHARM-0001',
    '/share/other/PHARM-0001/x.jpg',
  ])('is not there: %s', async (url) => {
    expect((await open(url)).statusCode).toBe(404)
    expect(drawn).toEqual([])
  })

  it('is drawn once, however many ask', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => open(path())))
    expect(new Set(replies.map(({ statusCode, body }) => statusCode + body)).size).toBe(1)
    await open(path())
    expect(drawn).toHaveLength(1)
  })

  it.each([
    ['many small ones', 1_000, 32],
    ['few large ones', 290_000, 10],
  ])('is remembered: %s', async (_which, bytes, most) => {
    draw = async () => Buffer.alloc(bytes)
    const offers = Array.from({ length: 40 }, () => shownOffer())
    shown = shownOffers(offers)
    for (const each of [...offers, ...offers.toReversed()]) await open(path(each.id))
    expect(drawn).toHaveLength(40 + 40 - most)
  })

  it('is one of two that are drawn at once', async () => {
    let busy = 0
    let most = 0
    draw = async () => {
      most = Math.max(most, (busy += 1))
      await new Promise((resolve) => setTimeout(resolve, 5))
      busy -= 1
      return Buffer.from('x')
    }
    const offers = Array.from({ length: 10 }, () => shownOffer())
    shown = shownOffers(offers)
    await Promise.all(offers.map((each) => open(path(each.id))))
    expect([most, drawn.length]).toEqual([2, 10])
  })
})

describe('the photographs of a card', () => {
  const pictured = (url: string) => offer({ fields: { URL_Immagine: url } })

  it('are given to who draws it as files, which are gone then', async () => {
    shown = shownOffers([pictured('/a'), shownOffer({ fields: { URL_Immagine: '/b' } })])
    expect((await open(path())).json()).toMatchObject({ photo: '/a' })
    const { photos } = (await open(path(null))).json<{ photos: string[] }>()
    expect(photos.toSorted()).toEqual(['/a', '/b'])
    expect(await filesIn(folder)).toEqual([])
  })

  it('that are not to be had are left out, and looked for again after a while', async () => {
    shown = shownOffers([pictured('/c')])
    const reply = await open(path())
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { photo: null }])
    expect(reply.headers['cache-control']).toBe(SHORTLY)
    const { etag } = reply.headers
    there.add('/c')
    const whole = await vi.waitUntil(async () => {
      const again = await open(path())
      return again.headers['cache-control'] === FOREVER && again
    })
    expect(whole.json()).toMatchObject({ photo: '/c' })
    expect(whole.headers.etag).not.toBe(etag)
  })

  it('that end what draws are left out', async () => {
    shown = shownOffers([pictured('/a')])
    draw = async (card) =>
      card.kind === 'offer' && card.photo ? 'unreadable' : Buffer.from(JSON.stringify(card))
    const reply = await open(path())
    expect([reply.statusCode, reply.json()]).toMatchObject([200, { photo: null }])
    expect(reply.headers['cache-control']).toBe(SHORTLY)
    expect(await filesIn(folder)).toEqual([])
  })
})

describe('a picture that cannot be drawn', () => {
  it.each([
    ['now', async () => Promise.reject(new PictureRendererError('too many wait'))],
    ['at all', async () => 'unreadable' as const],
  ])('is a plain one of ours: %s', async (_when, drawing) => {
    draw = drawing
    const reply = await open(path())
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/share/offers.jpg'])
    expect(reply.headers['cache-control']).toBe('no-store')
    draw = async () => Buffer.from('drawn')
    expect((await open(path())).body).toBe('drawn')
  })

  it('is the same when too many wait for theirs', async () => {
    let release = () => undefined as void
    const opened = new Promise<void>((resolve) => {
      release = resolve
    })
    draw = async () => {
      await opened
      return Buffer.from('x')
    }
    const offers = Array.from({ length: 110 }, () => shownOffer())
    shown = shownOffers(offers)
    const replies = Promise.all(offers.map((each) => open(path(each.id))))
    await new Promise((resolve) => setImmediate(resolve))
    release()
    const statuses = (await replies).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 302).length).toBe(110 - 2 - 100)
    expect(statuses.filter((status) => status === 200).length).toBe(102)
  })

  it('says nothing of why, when it is no fault of the drawing', async () => {
    draw = async () => Promise.reject(new Error('a secret path'))
    const reply = await open(path())
    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toContain('secret')
  })
})

it('the plain one is a picture as chats take it', async () => {
  const file = join(import.meta.dirname, '../../../../../web/public/share/offers.jpg')
  const { default: sharp } = await import('sharp')
  expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect((await readFile(file)).byteLength).toBeLessThan(300_000)
})
