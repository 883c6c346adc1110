import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../../../test/pictures.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'
import type { RenderedPicture, Rendition } from '../../ports/picture-renderer.ts'
import { createSharpPictures } from './sharp-pictures.ts'

const pictures = createSharpPictures()
afterAll(() => pictures.close())

let folder: string
beforeAll(async () => {
  folder = await testFileFolder()
})

const usual = { format: 'webp', quality: 82 } as const

async function make(picture: Sharp | Buffer, drawing: Partial<Rendition> = {}) {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await writeFile(from, Buffer.isBuffer(picture) ? picture : await picture.toBuffer())
  const made = await pictures.render(from, to, { ...usual, ...drawing }, { priority: 'normal' })
  return { made, bytes: await readFile(to) }
}

/** The colour at the centre of the rendered picture. */
async function colour(bytes: Buffer): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const middle = (info.height >> 1) * info.width + (info.width >> 1)
  return [...data.subarray(middle * info.channels, (middle + 1) * info.channels)]
}

function flat(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 4, background } })
}

describe('a picture', () => {
  it.each([
    ['JPEG', () => drawn().jpeg()],
    ['PNG', () => drawn().png()],
    ['WebP', () => drawn().webp()],
    ['GIF', () => drawn().gif()],
    ['AVIF', () => drawn().avif()],
  ])('in %s is read, and written in every format', async (_format, picture) => {
    for (const format of ['avif', 'webp', 'jpeg', 'png'] as const) {
      const { made, bytes } = await make(picture(), { format })
      expect(made).toEqual({ width: 60, height: 40, bytes: bytes.byteLength })
      const found = await sharp(bytes).metadata()
      expect(found.format).toBe(format === 'avif' ? 'heif' : format)
    }
  })

  it('stands as it was held when it was taken', async () => {
    const left = drawn(60, 40).composite([
      { input: await flat(30, 40, '#ff0000').png().toBuffer(), left: 0, top: 0 },
    ])
    const { made, bytes } = await make(left.withMetadata({ orientation: 6 }).jpeg(), {
      format: 'png',
    })
    expect(made).toMatchObject({ width: 40, height: 60 })
    // The left side of the input is at the top.
    const top = await sharp(bytes).extract({ left: 0, top: 0, width: 40, height: 20 }).toBuffer()
    const [red = 0, green = 255, blue = 255] = await colour(top)
    expect([red > 240, green < 20, blue < 20]).toEqual([true, true, true])
  })

  it('may have more pixels as a photograph than in another format', async () => {
    const small = { width: 40, height: 40 }
    const photograph = await flat(4_001, 4_000, '#c8285a').jpeg().toBuffer()
    expect((await make(photograph, small)).made).toMatchObject(small)
    // The header states a larger size.
    const frame = photograph.indexOf(Buffer.from([0xff, 0xc0]))
    photograph.writeUInt16BE(5_000, frame + 5)
    photograph.writeUInt16BE(8_000, frame + 7)
    expect((await make(photograph, small)).made).not.toBe('too_wide')
    photograph.writeUInt16BE(8_001, frame + 7)
    expect((await make(photograph, small)).made).toBe('too_wide')
  })

  it.each<[string, Partial<Rendition>, Pick<RenderedPicture, 'width' | 'height'>]>([
    ['as it is', {}, { width: 200, height: 100 }],
    ['as wide as that', { width: 100 }, { width: 100, height: 50 }],
    ['as high as that', { height: 20 }, { width: 40, height: 20 }],
    ['not larger than it is', { width: 400 }, { width: 200, height: 100 }],
    ['inside', { width: 50, height: 50, fit: 'inside' }, { width: 50, height: 25 }],
    ['inside, unless said otherwise', { width: 50, height: 50 }, { width: 50, height: 25 }],
    ['inside, not larger', { width: 900, height: 900, fit: 'inside' }, { width: 200, height: 100 }],
    ['cut', { width: 50, height: 50, fit: 'cover' }, { width: 50, height: 50 }],
    ['on white', { width: 500, height: 500, fit: 'contain' }, { width: 500, height: 500 }],
    ['stretched', { width: 300, height: 300, fit: 'fill' }, { width: 300, height: 300 }],
  ])('is drawn as large as is wanted: %s', async (_how, drawing, size) => {
    const { made, bytes } = await make(drawn(200, 100).png(), drawing)
    expect(made).toMatchObject(size)
    expect(await sharp(bytes).metadata()).toMatchObject(size)
  })

  it('is on white where it is contained, also where nothing was drawn', async () => {
    const clear = flat(200, 100, '#00000000').png()
    const { bytes } = await make(clear, { width: 90, height: 90, fit: 'contain', format: 'png' })
    const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(data.every((value) => value === 255)).toBe(true)
  })

  it('keeps what is clear in it, but in a format that cannot', async () => {
    const clear = flat(20, 20, '#00000000').png()
    expect(await colour((await make(clear, { format: 'webp' })).bytes)).toEqual([0, 0, 0, 0])
    expect(await colour((await make(clear, { format: 'jpeg' })).bytes)).toEqual([255, 255, 255])
  })

  it.each<[string, () => Sharp]>([
    ['of another profile', () => flat(20, 20, '#c8285a').withIccProfile('p3').png()],
    ['of sixteen bits', () => flat(20, 20, '#c8285a').toColourspace('rgb16').png()],
    ['for print', () => flat(20, 20, '#c8285a').removeAlpha().withIccProfile('cmyk').jpeg()],
  ])('has the colours it had: %s', async (_which, picture) => {
    const { bytes } = await make(picture(), { format: 'png' })
    const { space, depth, icc } = await sharp(bytes).metadata()
    expect({ space, depth, icc }).toEqual({ space: 'srgb', depth: 'uchar', icc: undefined })
    const [red = 0, green = 0, blue = 0] = await colour(bytes)
    const wrong = Math.max(Math.abs(red - 0xc8), Math.abs(green - 0x28), Math.abs(blue - 0x5a))
    // Pictures for print have fewer.
    expect(wrong).toBeLessThan(25)
  })

  it('is smaller with less quality', async () => {
    for (const format of ['avif', 'webp', 'jpeg'] as const) {
      const { bytes: fine } = await make(drawn(200, 200).png(), { format, quality: 90 })
      const { bytes: coarse } = await make(drawn(200, 200).png(), { format, quality: 20 })
      expect(coarse.byteLength).toBeLessThan(fine.byteLength)
    }
  })

  it('whose file or target folder is missing fails with ENOENT', async () => {
    const [none, from] = [join(folder, 'none'), join(folder, 'from')]
    await writeFile(from, await drawn().png().toBuffer())
    const urgent = { priority: 'normal' } as const
    await expect(pictures.render(none, join(folder, 'to'), usual, urgent)).rejects.toThrow('ENOENT')
    await expect(pictures.render(from, join(none, 'to'), usual, urgent)).rejects.toThrow('ENOENT')
    expect((await readdir(folder)).sort()).toEqual(['from', 'to'])
  })
})
