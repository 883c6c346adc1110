/** Signs of a text that are looked at, for each that is kept: the rest may be anything. */
const LOOKED_AT = 10

/** What models write instead of the sign itself. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  agrave: 'à',
  egrave: 'è',
  eacute: 'é',
  igrave: 'ì',
  ograve: 'ò',
  ugrave: 'ù',
  Egrave: 'È',
  rsquo: '’',
  laquo: '«',
  raquo: '»',
  euro: '€',
  deg: '°',
  reg: '®',
  trade: '™',
}

/** Elements whose content is for machines. */
const HIDDEN = /<(script|style|template|iframe|noscript)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi

const LIST_ITEM = /<li\b[^<>]*>/gi
const LINE_END = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/ul|\/ol|\/tr)\b[^<>]*>/gi
const TAG = /<(?:[a-z!?]|\/[a-z])[^<>]*>/gi

/** What is left of a tag that was put together from others, or that does not end. */
const TAG_START = /<(?=[a-z!?/])/gi

/** Signs that are not seen: of control, of the direction of writing, without width, halves of others. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}|\p{Co}/gu

/**
 * A text without HTML, without what models use to make letters bold, and without signs that nobody sees, of
 * `most` signs at most. Lines are kept.
 */
export function plainText(text: string, most: number): string {
  const seen = decoded(text.slice(0, most * LOOKED_AT))
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(UNSEEN, '')
  const lines = withoutTags(seen)
    .replaceAll('**', '')
    .replaceAll(/[^\S\n]+/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^ ?#{1,6} /, '').trim())
  const whole = lines.join('\n').replaceAll(/\n{3,}/g, '\n\n')
  return shortened(whole.trim(), most)
}

function withoutTags(text: string): string {
  return text
    .replaceAll(HIDDEN, '')
    .replaceAll(LIST_ITEM, '- ')
    .replaceAll(LINE_END, '\n')
    .replaceAll(TAG, '')
    .replaceAll(TAG_START, '')
}

function decoded(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const point = Number(name.replace(/^#x/i, '0x').replace('#', ''))
    return point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
}

/** Ends with a whole word, if there is one, and says that it was longer. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const lastSpace = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  const whole = lastSpace > most / 2 ? cut.slice(0, lastSpace) : cut
  return `${whole.replace(/\p{Cs}$/u, '').trimEnd()}…`
}
