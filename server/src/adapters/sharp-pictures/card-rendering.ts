import { writeFile } from 'node:fs/promises'
import satori from 'satori'
import sharp, { type OverlayOptions } from 'sharp'
import type { RenderedPicture } from '../../ports/picture-renderer.ts'
import { SHARE_CARD_SIZE, type ShareCard } from '../../ports/share-card.ts'
import {
  type Area,
  type Box,
  type Layout,
  offerLayout,
  pharmacyLayout,
  readFonts,
} from './card-layout.ts'
import { withSvg } from './drawing-rendering.ts'
import { openPicture } from './picture-rendering.ts'

/** Pictures are scaled down to the size of the largest area. */
const MAX_SIDE = 480

const WHITE = '#ffffff'

/** Keeps every card below 300 kB, the limit of chat applications. */
const QUALITY = 85

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

let fonts: ReturnType<typeof readFonts> | undefined

/** Renders a link preview. Pictures that cannot be decoded are omitted. */
export async function renderCard(card: ShareCard, to: string): Promise<RenderedPicture> {
  const { layout, pictures } = await arrange(card)
  const base = await renderBox(layout.box)
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
    return { layout, pictures: placed(photos, layout.photoAreas) }
  }
  const photos = await readable(card.photos)
  const [logo] = await readable([card.logo])
  const layout = pharmacyLayout(card, photos.length, logo !== undefined)
  const pictures = placed(photos, layout.photoAreas)
  if (logo && layout.logo) pictures.push(place(logo, layout.logo, 'left'))
  return { layout, pictures }
}

async function readable(paths: (string | null)[]): Promise<Pixels[]> {
  const found: Pixels[] = []
  // Sequentially, to limit the memory use.
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
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: WHITE })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function placed(photos: Pixels[], areas: Area[]): Promise<OverlayOptions>[] {
  return photos.flatMap((photo, index) => {
    const area = areas[index]
    return area ? [place(photo, area, 'middle')] : []
  })
}

/** Scales a picture to fit its area. */
async function place(
  { data, info }: Pixels,
  area: Area,
  side: 'left' | 'middle',
): Promise<OverlayOptions> {
  const { width, height } = area
  const scaled = await sharp(data, { raw: info })
    .resize({ width, height, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const free = { x: width - scaled.info.width, y: height - scaled.info.height }
  return {
    input: scaled.data,
    raw: scaled.info,
    left: Math.round(area.left + (side === 'left' ? 0 : free.x / 2)),
    top: Math.round(area.top + free.y / 2),
  }
}

/** Renders the boxes and texts of the layout, via SVG. */
async function renderBox(box: Box): Promise<Pixels> {
  fonts ??= readFonts()
  const { width, height } = SHARE_CARD_SIZE
  const svg = await satori(box, { width, height, fonts: await fonts })
  return withSvg(svg, (drawing) =>
    drawing.removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  )
}
