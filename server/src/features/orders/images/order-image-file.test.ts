import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { anImage, drawn, pngBomb } from '../../../../test/pictures.ts'
import { type ImageFile, imageFile } from './order-image-file.ts'

async function taken(bytes: Uint8Array): Promise<ImageFile> {
  const file = await imageFile(bytes)
  if (typeof file === 'string') throw new Error(`refused: ${file}`)
  return file
}

const text = (content: string) => Buffer.from(content)

const html = '<!doctype html><script>alert(1)</script>'

describe('a picture', () => {
  it.each([
    ['JPEG', () => drawn().jpeg()],
    ['PNG', () => drawn().png()],
    ['WebP', () => drawn().webp()],
    ['GIF', () => drawn().gif()],
    ['AVIF', () => drawn().avif()],
  ])('in %s is taken, and kept as WebP', async (_format, picture) => {
    const file = await taken(await picture().toBuffer())
    expect(file).toMatchObject({ contentType: 'image/webp', width: 60, height: 40 })
    expect(await sharp(file.bytes).metadata()).toMatchObject({ format: 'webp', width: 60 })
  })

  it('says nothing of where it was taken, and stands upright', async () => {
    const photograph = await drawn()
      .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '45/1 26/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photograph).metadata()).exif).toBeDefined()
    const file = await taken(photograph)
    const { exif, xmp, iptc, orientation } = await sharp(file.bytes).metadata()
    expect({ exif, xmp, iptc, orientation }).toEqual({})
    expect(file).toMatchObject({ width: 40, height: 60 })
  })

  it('that moves is kept as its first moment', async () => {
    const moments = await Promise.all(
      [drawn(), drawn().negate()].map((one) => one.png().toBuffer()),
    )
    const moving = await sharp(moments, { join: { animated: true } })
      .gif({ loop: 0 })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBeGreaterThan(1)
    const kept = await sharp((await taken(moving)).bytes, { animated: true }).metadata()
    expect(kept).toMatchObject({ width: 60, height: 40 })
    expect(kept.pages ?? 1).toBe(1)
  })

  it('that is larger than a screen can show is made smaller', async () => {
    const wide = await drawn(8_000, 500).jpeg().toBuffer()
    expect(await taken(wide)).toMatchObject({ width: 4096, height: 256 })
  })

  it('may have more pixels as a photograph than as something drawn', async () => {
    const [large, larger] = await Promise.all(
      [5_000, 8_001].map((side) => drawn(side, 5_000).jpeg({ quality: 10 }).toBuffer()),
    )
    expect(await taken(large ?? Buffer.alloc(0))).toMatchObject({ width: 4096, height: 4096 })
    expect(await imageFile(larger ?? Buffer.alloc(0))).toBe('too_wide')
  })

  it('brings nothing along that was hidden in it', async () => {
    const polyglot = Buffer.concat([await anImage(), text(html)])
    expect((await taken(polyglot)).bytes.includes('script')).toBe(false)
  })
})

describe('what is no picture of ours is refused:', () => {
  it.each([
    ['a page', text(html)],
    ['a drawing', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      'a drawing that loads',
      text('<?xml version="1.0"?><!DOCTYPE svg SYSTEM "file:///etc/passwd">'),
    ],
    ['a document', text('%PDF-1.7 %âãÏÓ')],
    ['an old format', text('BM the rest')],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_what, bytes) => {
    expect(await imageFile(bytes)).toBe('not_a_picture')
  })

  it('a format that cannot be trusted with memory', async () => {
    expect(await imageFile(await drawn().tiff().toBuffer())).toBe('not_a_picture')
  })

  it.each([
    ['in all', 30_000, 30_000],
    ['in sum', 4_001, 4_000],
    ['a side', 12_001, 8],
  ])('too many pixels %s, however few bytes', async (_how, width, height) => {
    const bomb = pngBomb(width, height)
    expect(bomb.byteLength).toBeLessThan(1_000_000)
    expect(await imageFile(bomb)).toBe('too_wide')
  })

  it.each([
    ['half a JPEG', () => drawn(400, 400).jpeg()],
    ['half a PNG', () => drawn(400, 400).png()],
    ['half a WebP', () => drawn(400, 400).webp()],
  ])('%s', async (_what, picture) => {
    const whole = await picture().toBuffer()
    expect(await imageFile(whole.subarray(0, whole.byteLength / 2))).toBe('unreadable')
  })

  it.each([
    ['JPEG', text('\xff\xd8\xff')],
    ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['GIF', text('GIF89a')],
    ['WebP', text('RIFF\0\0\0\0WEBP')],
    ['AVIF', text('\0\0\0\x1cftypavif')],
  ])('a page that begins like a %s', async (_format, beginning) => {
    const polyglot = Buffer.concat([beginning, text(`=1;/*${html}*/`)])
    expect(['unreadable', 'not_a_picture']).toContain(await imageFile(polyglot))
  })

  it('the picture that phones take and this library cannot read', async () => {
    expect(await imageFile(text('\0\0\0\x18ftypheic\0\0\0\0mif1heic'))).toBe('unreadable')
  })
})
