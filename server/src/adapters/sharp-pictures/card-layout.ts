import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type OfferCard, type PharmacyCard, SHARE_CARD_SIZE } from '../../ports/share-card.ts'

const subsets = ['latin', 'latin-ext', 'greek'] as const

/** Font families in the order in which a character is looked up. */
const FAMILIES = subsets.join(', ')

const weights = [400, 500] as const

/** Reads the fonts of the cards from an npm package, without network access. */
export function readFonts() {
  return Promise.all(
    weights.flatMap((weight) =>
      subsets.map(async (subset) => {
        const name = `@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`
        const data = await readFile(fileURLToPath(import.meta.resolve(name)))
        return { name: subset, data, weight, style: 'normal' as const }
      }),
    ),
  )
}

/** Characters that the fonts do not have: emoji, other scripts, invisible characters. */
const UNSUPPORTED =
  /[^ -~\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u1e00-\u1eff\u2010-\u2027\u2030-\u203a\u20a0-\u20bf\u2122\u2212]/g

/** Longer than any text that fits on a card. */
const MAX_LETTERS = 300

/** Removes the characters that cannot be rendered. The result may be empty. */
export function renderableText(written: string): string {
  return written
    .slice(0, MAX_LETTERS)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(UNSUPPORTED, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** A satori element: a flex box, a column by default. */
export type Box = {
  type: 'div'
  key: null
  props: { style: Record<string, string | number>; children: Content }
}
type Content = string | Box[]

/** The area of a picture, in pixels. */
export type Area = { left: number; top: number; width: number; height: number }

/** A card without its pictures, and the areas for the pictures. */
export type Layout = { box: Box; photoAreas: Area[]; logo: Area | null }

/** The colours of the light theme (`tokens.css` of the web). */
const colour = {
  canvas: '#fbfaf7',
  surface: '#ffffff',
  line: '#e8e6df',
  ink: '#1a1f1c',
  muted: '#5c645f',
  accent: '#0b7a4b',
  danger: '#b3261e',
  featured: '#1c55ae',
} as const

const { width: WIDTH, height: HEIGHT } = SHARE_CARD_SIZE
const MARGIN = 60
/** Between the border of a tile and its picture. */
const PADDING = 20
const GAP = 16

/** The photo on the left, name and price on the right; larger and in full width without a photo. */
export function offerLayout(card: OfferCard, hasPhoto: boolean): Layout {
  const tile = { left: MARGIN, top: MARGIN, width: 440, height: HEIGHT - 2 * MARGIN }
  const left = hasPhoto ? tile.left + tile.width + MARGIN : MARGIN
  const ground = card.badge?.startsWith('-') ? colour.danger : colour.featured
  const badge = { backgroundColor: ground, color: colour.surface }
  const size = hasPhoto
    ? { name: 52, price: card.price.length > 9 ? 72 : 92, before: 44 }
    : { name: 64, price: 108, before: 52 }
  const price = { fontSize: size.price, fontWeight: 500, letterSpacing: -2 }
  return page(hasPhoto ? [tile] : [], {
    left,
    width: WIDTH - MARGIN - left,
    above: [
      ...(card.badge ? [text(card.badge, { ...pill, ...badge })] : []),
      text(card.name, { fontSize: size.name, fontWeight: 500, lineHeight: 1.2, ...lines(3) }),
    ],
    below: [
      box({ flexDirection: 'row', alignItems: 'flex-end', flexWrap: 'wrap', columnGap: 28 }, [
        text(card.price, price),
        ...(card.before ? [text(card.before, { ...struck, fontSize: size.before })] : []),
      ]),
      text(card.pharmacy, { fontSize: 32, color: colour.muted, marginTop: 16, ...lines(1) }),
    ],
  })
}

/** The pharmacy on the left, photos of its offers on the right; larger without photos. */
export function pharmacyLayout(card: PharmacyCard, photos: number, hasLogo: boolean): Layout {
  const tiles = tilesOf(photos)
  const accent = card.accent ?? colour.accent
  const logo = { left: MARGIN, top: MARGIN, width: 280, height: 76 }
  const layout = page(tiles, {
    left: MARGIN,
    width: (tiles[0]?.left ?? WIDTH) - 2 * MARGIN,
    above: [
      ...(hasLogo ? [box({ height: logo.height + 24 }, [])] : []),
      text(card.name, {
        fontSize: photos > 0 ? 54 : 66,
        fontWeight: 500,
        lineHeight: 1.2,
        ...lines(hasLogo ? 2 : 3),
      }),
      text('Offerte Speciali', { fontSize: 44, color: accent, marginTop: 12 }),
    ],
    below: [
      ...(card.count ? [text(card.count, { fontSize: 36, fontWeight: 500 })] : []),
      ...(card.address
        ? [text(card.address, { fontSize: 28, color: colour.muted, marginTop: 4, ...lines(2) })]
        : []),
      text('Bancone', { fontSize: 24, fontWeight: 500, color: accent, marginTop: 20 }),
    ],
  })
  return { ...layout, logo: hasLogo ? logo : null }
}

/** The areas of up to four photos. */
function tilesOf(photos: number): Area[] {
  const full = { left: 630, top: MARGIN, width: 510, height: HEIGHT - 2 * MARGIN }
  const half = { width: (full.width - GAP) / 2, height: (full.height - GAP) / 2 }
  const right = full.left + half.width + GAP
  const low = full.top + half.height + GAP
  const quarters = [
    { ...full, ...half },
    { ...half, left: right, top: full.top },
    { ...half, left: right, top: low },
    { ...half, left: full.left, top: low },
  ]
  const tall = { ...full, width: half.width }
  if (photos === 0) return []
  if (photos === 1) return [full]
  if (photos === 2) return [tall, { ...tall, left: right }]
  return photos === 3 ? [tall, ...quarters.slice(1, 3)] : quarters
}

type Words = { left: number; width: number; above: Box[]; below: Box[] }

function page(tiles: Area[], { left, width, above, below }: Words): Layout {
  const frames = tiles.map((tile) =>
    box(
      {
        ...at(tile),
        backgroundColor: colour.surface,
        border: `2px solid ${colour.line}`,
        borderRadius: 20,
      },
      [],
    ),
  )
  const area = { left, top: MARGIN, width, height: HEIGHT - 2 * MARGIN }
  const words = box({ ...at(area), justifyContent: 'space-between', color: colour.ink }, [
    box({}, above),
    box({}, below),
  ])
  return {
    box: box(
      { width: WIDTH, height: HEIGHT, backgroundColor: colour.canvas, fontFamily: FAMILIES },
      [...frames, words],
    ),
    photoAreas: tiles.map((tile) => ({
      left: tile.left + PADDING,
      top: tile.top + PADDING,
      width: tile.width - 2 * PADDING,
      height: tile.height - 2 * PADDING,
    })),
    logo: null,
  }
}

const struck = {
  color: colour.muted,
  textDecoration: 'line-through',
  marginBottom: 10,
}
const pill = {
  fontSize: 40,
  fontWeight: 500,
  alignSelf: 'flex-start',
  padding: '6px 22px',
  borderRadius: 16,
  marginBottom: 24,
}

/** Truncates after `max` lines with an ellipsis, also within long words. */
const lines = (max: number) => ({ display: 'block', lineClamp: max, wordBreak: 'break-word' })

const at = (area: Area) => ({ position: 'absolute', ...area })

function box(style: Box['props']['style'], children: Content): Box {
  return {
    type: 'div',
    key: null,
    props: { style: { display: 'flex', flexDirection: 'column', ...style }, children },
  }
}

function text(words: string, style: Box['props']['style']): Box {
  return { type: 'div', key: null, props: { style, children: renderableText(words) } }
}
