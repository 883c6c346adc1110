import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anImage, drawn } from '../../../test/pictures.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'
import type { OfferCard, PharmacyCard, ShareCard } from '../../ports/share-card.ts'
import { createSharpPictures } from './sharp-pictures.ts'

const pictures = createSharpPictures()
afterAll(() => pictures.close())

let folder: string
beforeAll(async () => {
  folder = await testFileFolder()
})

const anOffer: OfferCard = {
  kind: 'offer',
  name: 'Supradyn Ricarica',
  price: '8,00\u00a0€',
  before: '10,00\u00a0€',
  badge: '-20%',
  pharmacy: 'Farmacia San Marco',
  photo: null,
}
const aPharmacy: PharmacyCard = {
  kind: 'pharmacy',
  name: 'Farmacia San Marco',
  address: 'Via Garibaldi 12, 37121 Verona',
  count: '7 offerte',
  logo: null,
  accent: null,
  photos: [],
}

async function draw(card: ShareCard) {
  const to = join(folder, 'card')
  const made = await pictures.renderCard(card, to, { priority: 'normal' })
  return { made, bytes: await readFile(to) }
}

const offerCard = (more: Partial<OfferCard>) => draw({ ...anOffer, ...more })

async function fileOf(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** The colour of a pixel. */
async function colourAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const spot = sharp(bytes).extract({ left, top, width: 1, height: 1 })
  return [...(await spot.removeAlpha().raw().toBuffer())]
}

/** The number of pixels in the colour of the main text. */
async function inkIn(bytes: Buffer): Promise<number> {
  const grey = await sharp(bytes).greyscale().raw().toBuffer()
  return grey.filter((light) => light < 60).length
}

const flat = (background: string, width = 300, height = 300) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const longest = 'Supercalifragilistichespiralidoso'.repeat(6)
const odd: [string, ShareCard][] = [
  ['words without an end', { ...anOffer, name: longest, pharmacy: longest, badge: 'In Evidenza' }],
  ['the largest prices', { ...anOffer, price: '99.999,98\u00a0€', before: '99.999,99\u00a0€' }],
  ['no words', { ...anOffer, name: '', pharmacy: ' ' }],
  ['letters of nowhere', { ...anOffer, name: '🎉 אספירין نص 漢字 Аспирин', pharmacy: '👩‍⚕️' }],
  ['invisible characters', { ...anOffer, name: `\u202e\u0000\ud83d${'e\u0301'.repeat(99)}` }],
  ['what looks like a drawing', { ...anOffer, name: '</text><image href="http://x/"/>&amp;' }],
  ['a pharmacy with nothing', { ...aPharmacy, name: '', address: null, count: null }],
  ['a pharmacy with much', { ...aPharmacy, name: longest, address: longest, count: longest }],
]

describe('the picture of a link', () => {
  it.each(odd)('is a JPEG as chats take it: %s', async (_what, card) => {
    const { made, bytes } = await draw(card)
    expect(made).toEqual({ width: 1200, height: 630, bytes: bytes.byteLength })
    const { format, width, height, space, isProgressive } = await sharp(bytes).metadata()
    expect({ format, width, height, space, isProgressive }).toEqual({
      format: 'jpeg',
      width: 1200,
      height: 630,
      space: 'srgb',
      isProgressive: true,
    })
    expect(bytes.byteLength).toBeLessThan(300_000)
  })

  it('is small enough whatever the photographs are', async () => {
    // As large as its area, so that it is not scaled.
    const noise = { raw: { width: 470, height: 470, channels: 3 } } as const
    const busy = await sharp(randomBytes(470 * 470 * 3), noise)
      .png()
      .toBuffer()
    const photo = await fileOf('busy', busy)
    for (const card of [
      { ...anOffer, photo },
      { ...aPharmacy, photos: [photo] },
    ]) {
      const { bytes } = await draw(card)
      expect(bytes.byteLength).toBeLessThan(300_000)
      expect(bytes.byteLength).toBeGreaterThan(100_000)
    }
  })

  it.each(['name', 'price', 'before', 'badge', 'pharmacy'] as const)(
    'shows its %s',
    async (part) => {
      const { bytes: before } = await draw(anOffer)
      const { bytes: after } = await draw({ ...anOffer, [part]: '-99 β' })
      expect(after.equals(before)).toBe(false)
    },
  )

  it('is written larger where no photograph takes its place', async () => {
    const photo = await fileOf('white', await flat('#ffffff'))
    const cards: [ShareCard, ShareCard][] = [
      [anOffer, { ...anOffer, photo }],
      [aPharmacy, { ...aPharmacy, photos: [photo] }],
    ]
    for (const [card, pictured] of cards) {
      const { bytes: alone } = await draw(card)
      const { bytes: beside } = await draw(pictured)
      expect(await inkIn(alone)).toBeGreaterThan(1.2 * (await inkIn(beside)))
    }
  })

  it('leaves out letters that it has no font for, and has those it needs', async () => {
    const { bytes: plain } = await offerCard({ name: 'Crema mani' })
    const { bytes: strange } = await offerCard({ name: 'Crema 🎉 漢字 mani' })
    expect(strange.equals(plain)).toBe(true)
    // Characters without a glyph are all rendered as the same box.
    const drawnAs = async (name: string) => (await offerCard({ name })).bytes.toString('base64')
    const letters = await Promise.all(['β', 'Ω', 'Ž', 'ễ', '€', '½'].map(drawnAs))
    expect(new Set(letters).size).toBe(6)
  })

  it('shows the photograph in the middle of its place, and as large as that', async () => {
    const photo = await fileOf('red', await flat('#c8285a', 30, 30))
    const { bytes } = await offerCard({ photo })
    const [red = 0, green = 255] = await colourAt(bytes, 280, 315)
    expect([red > 190, green < 60]).toEqual([true, true])
    expect(await colourAt(bytes, 280, 90)).toEqual([255, 255, 255])
    const [edge = 0] = await colourAt(bytes, 280, 140)
    expect(edge).toBeLessThan(215)
  })

  it('shows what is clear in a photograph as white', async () => {
    const clear = sharp({ create: { width: 9, height: 9, channels: 4, background: '#00000000' } })
    const { bytes } = await offerCard({
      photo: await fileOf('clear', await clear.png().toBuffer()),
    })
    expect(await colourAt(bytes, 280, 315)).toEqual([255, 255, 255])
  })

  it.each([1, 2, 3, 4])('of a pharmacy shows %i photographs', async (many) => {
    const photos = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff', '#000000']
        .slice(0, many)
        .map(async (colour, index) => fileOf(`photo-${index}`, await flat(colour, 300, 600))),
    )
    const { bytes } = await draw({ ...aPharmacy, photos })
    const { data } = await sharp(bytes)
      .extract({ left: 630, top: 60, width: 510, height: 510 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const seen = new Set<string>()
    for (let at = 0; at < data.length; at += 3) {
      const clear = [...data.subarray(at, at + 3)].map((value) =>
        value > 245 ? 'f' : value < 10 ? '0' : '-',
      )
      seen.add(clear.join(''))
    }
    const found = ['f00', '0f0', '00f', '000'].filter((colour) => seen.has(colour))
    expect(found.length).toBe(many)
  })

  it('shows a photograph in grey, and the logo', async () => {
    const grey = await fileOf('grey', await drawn().greyscale().jpeg().toBuffer())
    const { bytes: without } = await draw(aPharmacy)
    const { bytes: withLogo } = await draw({ ...aPharmacy, logo: grey })
    expect(withLogo.equals(without)).toBe(false)
    expect((await offerCard({ photo: grey })).made).toMatchObject({ width: 1200 })
  })
})

describe('a photograph that is none', () => {
  it('is left out', async () => {
    const { bytes: without } = await draw(anOffer)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const photos = [
      join(folder, 'not there'),
      await fileOf('text', Buffer.from('no picture')),
      await fileOf('drawing', svg),
      await fileOf('broken', (await anImage()).subarray(0, 200)),
    ]
    for (const photo of photos) {
      expect([photo, (await offerCard({ photo })).bytes.equals(without)]).toEqual([photo, true])
    }
  })

  it('is left out of several', async () => {
    const [red, text] = [await fileOf('one', await flat('#ff0000')), join(folder, 'text')]
    const { bytes: one } = await draw({ ...aPharmacy, photos: [red] })
    const { bytes: both } = await draw({ ...aPharmacy, photos: [text, red] })
    expect(both.equals(one)).toBe(true)
  })
})
