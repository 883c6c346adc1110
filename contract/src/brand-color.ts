import { z } from 'zod/mini'

/** `#rrggbb`. */
export const HexColor = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/))

/** The contrast that WCAG 2.2 AA asks of text. */
const READABLE = 4.5

const WHITE = '#ffffff'
const BLACK = '#000000'

/** The darkest ground of the light pages and the lightest of the dark ones on which text in the accent stands. */
const GROUND = { light: '#f5f4ef', dark: '#1d2220' } as const
/** The surface of dark pages, and the text on a button there. */
const DARK_SURFACE = '#161a18'
const DARK_INK = '#05150d'

const Accent = z.object({ accent: HexColor, strong: HexColor, soft: HexColor, on: HexColor })
export type Accent = z.infer<typeof Accent>

/** The accents of light and of dark pages; `on` is the text on a button in the accent. */
export const BrandPalette = z.object({ light: Accent, dark: Accent })
export type BrandPalette = z.infer<typeof BrandPalette>

type Rgb = readonly [number, number, number]

function parse(color: string): Rgb {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return [red ?? 0, green ?? 0, blue ?? 0]
}

/** @param part how much of the second, from 0 to 1 */
function mix(one: string, other: string, part: number): string {
  const to = parse(other)
  const mixed = parse(one).map((each, at) => each + ((to[at] ?? 0) - each) * part)
  return `#${mixed.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = parse(color).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours by WCAG, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const light = (accent: string): Accent => ({
  accent,
  strong: mix(accent, BLACK, 0.2),
  soft: mix(accent, WHITE, 0.9),
  on: WHITE,
})
const dark = (accent: string): Accent => ({
  accent,
  strong: mix(accent, WHITE, 0.2),
  soft: mix(accent, DARK_SURFACE, 0.85),
  on: DARK_INK,
})

function isReadable({ accent, strong, soft, on }: Accent, ground: string): boolean {
  const pairs = [
    [accent, ground],
    [accent, soft],
    [on, accent],
    [on, strong],
  ] as const
  return pairs.every(([one, other]) => contrast(one, other) >= READABLE)
}

/** The first accent on the way from the colour to black or white that can be read everywhere. */
function firstReadable(
  color: string,
  target: string,
  make: (accent: string) => Accent,
  ground: string,
) {
  for (let percent = 0; ; percent += 2) {
    const accent = make(mix(color, target, percent / 100))
    if (percent >= 100 || isReadable(accent, ground)) return accent
  }
}

/**
 * The accents made of a brand colour: as it is where it can be read, otherwise darker on light pages and lighter on dark
 * ones, until it reaches WCAG AA.
 * @param color `#rrggbb`
 */
export function brandPalette(color: string): BrandPalette {
  return {
    light: firstReadable(color, BLACK, light, GROUND.light),
    dark: firstReadable(color, WHITE, dark, GROUND.dark),
  }
}
