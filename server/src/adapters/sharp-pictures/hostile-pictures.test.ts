import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { PAYLOAD } from '../../../test/hostile/hostile-file.ts'
import { hostileFiles } from '../../../test/hostile-files.ts'
import type { PictureFormat } from '../../ports/picture-renderer.ts'
import { createSharpPictures } from './sharp-pictures.ts'

const { folder, files } = await hostileFiles()
/** The pids of the started processes. */
const started: unknown[] = []
const pictures = createSharpPictures({ onStart: (pid) => started.push(pid) })
afterAll(() => pictures.close())

const drawnFile = join(folder, 'what-came-of-it')

async function make(name: string, format: PictureFormat) {
  const drawing = { width: 500, height: 500, fit: 'inside', format, quality: 80 } as const
  return pictures.render(join(folder, name), drawnFile, drawing, { priority: 'normal' })
}

const refused = files.filter(({ outcome }) => typeof outcome === 'string')
const spreadsheetText = files.flatMap(({ name, outcome }) => {
  if (typeof outcome === 'string') return []
  const scale = Math.min(1, 500 / Math.max(outcome.width, outcome.height))
  return [{ name, width: outcome.width * scale, height: outcome.height * scale }]
})

/** Expects that the file is a picture and contains nothing else. */
async function expectHarmless(format: string) {
  const bytes = await readFile(drawnFile)
  expect(bytes.includes(PAYLOAD)).toBe(false)
  const found = await sharp(bytes).metadata()
  const { exif, xmp, iptc, icc, orientation, comments, depth } = found
  expect({ exif, xmp, iptc, icc, orientation, comments, depth }).toEqual({ depth: 'uchar' })
  expect(found.format).toBe(format === 'avif' ? 'heif' : format)
  expect(['srgb', 'b-w']).toContain(found.space)
  expect(found.pages ?? 1).toBe(1)
  await sharp(bytes, { failOn: 'warning' }).raw().toBuffer()
}

describe('a hostile file', () => {
  it.each(refused)('is refused with its reason: $name', async ({ name, outcome }) => {
    expect(await make(name, 'webp')).toBe(outcome)
  })

  it.each(spreadsheetText)('is made spreadsheetText: $name', async ({ name, width, height }) => {
    const made = await make(name, 'webp')
    expect(made).toMatchObject({ width, height })
    await expectHarmless('webp')
  })

  it.each(['avif', 'jpeg', 'png'] as const)(
    'is made spreadsheetText also as %s',
    async (format) => {
      const others = spreadsheetText.filter(({ width }) => width < 500)
      for (const { name, width, height } of others) {
        expect(await make(name, format), name).toMatchObject({ width, height })
        await expectHarmless(format)
      }
      expect(others.length).toBeGreaterThan(40)
    },
  )

  it('is left out of the picture of a link', async () => {
    const card = {
      kind: 'pharmacy',
      name: 'Farmacia San Marco',
      address: null,
      count: null,
      logo: null,
      accent: null,
    } as const
    const cardOf = async (photos: string[]) => {
      const made = await pictures.renderCard({ ...card, photos }, drawnFile, { priority: 'normal' })
      expect(made).toMatchObject({ width: 1200 })
      return readFile(drawnFile)
    }
    const without = await cardOf([])
    const paths = refused.map(({ name }) => join(folder, name))
    for (let at = 0; at < paths.length; at += 16) {
      const photos = paths.slice(at, at + 16)
      expect([photos, (await cardOf(photos)).equals(without)]).toEqual([photos, true])
    }
  })

  it('does not end the process that reads it', () => {
    expect([refused.length > 60, started.length]).toEqual([true, 1])
  })
})
