import { writeFile } from 'node:fs/promises'
import satori from 'satori'
import sharp, { type OverlayOptions } from 'sharp'
import type { MadePicture } from '../../ports/picture-maker.ts'
import { SHARE_CARD, type ShareCard } from '../../ports/share-card.ts'
import { readFonts } from './card-fonts.ts'
import { type Box, type Layout, offerLayout, type Place, pharmacyLayout } from './card-layout.ts'
import { openPicture } from './picture-drawing.ts'

/** As many pixels of a picture as the largest place has. */
const LARGEST_SIDE = 480

const WHITE = '#ffffff'

/** With it no card is as large as chats refuse (300 kB), whatever its photographs are. */
const QUALITY = 85

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

let fonts: ReturnType<typeof readFonts> | undefined

/** Draws the picture that is shown beside a link. Pictures that cannot be read are left out. */
export async function drawCard(card: ShareCard, to: string): Promise<MadePicture> {
  const { layout, pictures } = await arrange(card)
  const base = await drawBox(layout.box)
  const { data, info } = await sharp(base.data, { raw: base.info })
    .composite(await Promise.all(pictures))
    .removeAlpha()
    .jpeg({ quality: QUALITY, progressive: true })
    .toBuffer({ resolveWithObject: true })
  await writeFile(to, data, { mode: 0o600 })
  return { width: info.width, height: info.height, bytes: data.byteLength }
}

async function arrange(
  card: ShareCard,
): Promise<{ layout: Layout; pictures: Promise<OverlayOptions>[] }> {
  if (card.kind === 'offer') {
    const photos = await readable([card.photo])
    const layout = offerLayout(card, photos.length > 0)
    return { layout, pictures: placed(photos, layout.places) }
  }
  const photos = await readable(card.photos)
  const [logo] = await readable([card.logo])
  const layout = pharmacyLayout(card, photos.length, logo !== undefined)
  const pictures = placed(photos, layout.places)
  if (logo && layout.logo) pictures.push(place(logo, layout.logo, 'left'))
  return { layout, pictures }
}

async function readable(paths: (string | null)[]): Promise<Pixels[]> {
  const found: Pixels[] = []
  // One after the other: together they would take the memory of all.
  for (const path of paths) {
    const pixels = path === null ? undefined : await readPixels(path).catch(() => undefined)
    if (pixels) found.push(pixels)
  }
  return found
}

async function readPixels(path: string): Promise<Pixels | undefined> {
  const picture = await openPicture(path)
  if (typeof picture === 'string') return undefined
  return picture
    .autoOrient()
    .resize({ width: LARGEST_SIDE, height: LARGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: WHITE })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function placed(photos: Pixels[], places: Place[]): Promise<OverlayOptions>[] {
  return photos.flatMap((photo, index) => {
    const where = places[index]
    return where ? [place(photo, where, 'middle')] : []
  })
}

/** As large as it can be there. */
async function place(
  { data, info }: Pixels,
  where: Place,
  side: 'left' | 'middle',
): Promise<OverlayOptions> {
  const { width, height } = where
  const drawn = await sharp(data, { raw: info })
    .resize({ width, height, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const free = { x: width - drawn.info.width, y: height - drawn.info.height }
  return {
    input: drawn.data,
    raw: drawn.info,
    left: Math.round(where.left + (side === 'left' ? 0 : free.x / 2)),
    top: Math.round(where.top + free.y / 2),
  }
}

/** What is in no file: boxes and letters, as shapes. */
async function drawBox(box: Box): Promise<Pixels> {
  fonts ??= readFonts()
  const { width, height } = SHARE_CARD
  const drawing = await satori(box, { width, height, fonts: await fonts })
  // Only for ours, and only while it is read: a file that somebody sent is never taken for one.
  sharp.unblock({ operation: SVG })
  try {
    return await sharp(Buffer.from(drawing))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
  } finally {
    sharp.block({ operation: SVG })
  }
}

const SVG = ['VipsForeignLoadSvgBuffer']
