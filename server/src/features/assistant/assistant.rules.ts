import { MAX_DESCRIPTION_LENGTH, type ProductDraft } from '@bancone/contract/assistant'
import { parseMinsan } from '@bancone/contract/minsan'
import { parsePrice } from '@bancone/contract/money'
import type { AssistantReply } from '../../ports/product-assistant.ts'

/** Maximum length of a rejected price or code that is shown to the user. */
const MAX_SHOWN = 60

/** `1.234`: typed by a person it means a thousand; from a model it may as well be a price of about one euro. */
const THOUSANDS = /\.\d{3}\D*$/

const MINUS = /^(\D*)[-−]\s*/

/** Letters other than `A`: a model does not read bar codes, so six base-32 characters are a word and no code. */
const LETTERS = /[b-z]/i

/** The assistant's draft, with unusable values separated from usable ones. */
export function checkedDraft({ description, price, minsan }: AssistantReply): ProductDraft {
  return {
    description: plainText(description ?? '', MAX_DESCRIPTION_LENGTH) || null,
    price: checkedPrice(oneLine(price)),
    minsan: checkedCode(oneLine(minsan)),
  }
}

function oneLine(text: string | null): string {
  return plainText(text ?? '', MAX_SHOWN).replaceAll('\n', ' ')
}

function checkedPrice(text: string): ProductDraft['price'] {
  if (text === '') return null
  const cents = THOUSANDS.test(text) ? undefined : parsePrice(text)
  if (cents) return { text, cents, problem: null }
  const isNegative = MINUS.test(text) && parsePrice(text.replace(MINUS, '$1')) !== undefined
  return { text, cents: null, problem: cents === 0 || isNegative ? 'not_positive' : 'not_a_price' }
}

function checkedCode(text: string): ProductDraft['minsan'] {
  if (text === '') return null
  const read = LETTERS.test(text) ? undefined : parseMinsan(text)
  if (!read) return { text, code: null, problem: 'not_a_code' }
  const { code, check } = read
  if (check === 'wrong') return { text, code: null, problem: 'check_digit' }
  return { text, code, problem: check === 'unverified' ? 'unverified' : null }
}

/** Characters that are read for each one that is kept: the input may be of any length. */
const LOOKED_AT = 10

/** HTML entities that models write instead of the character. */
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

/** Elements whose content is not text for people. */
const HIDDEN = /<(script|style|template|iframe|noscript)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi

const LIST_ITEM = /<li\b[^<>]*>/gi
const LINE_END = /<(?:br|\/p|\/div|\/li|\/h[1-6]|\/ul|\/ol|\/tr)\b[^<>]*>/gi
const TAG = /<(?:[a-z!?]|\/[a-z])[^<>]*>/gi

/** The start of a tag that was assembled from others, or is not closed. */
const TAG_START = /<(?=[a-z!?/])/gi

/** Invisible characters: control, direction and zero-width characters, lone surrogates. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}|\p{Co}/gu

/**
 * Text without HTML, Markdown emphasis and invisible characters, of at most `most` characters. Line breaks are kept.
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

/** Cuts at the end of a word where possible, and marks the cut. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  const lastSpace = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  const whole = lastSpace > most / 2 ? cut.slice(0, lastSpace) : cut
  return `${whole.replace(/\p{Cs}$/u, '').trimEnd()}…`
}
