import type { Medicine } from '@bancone/contract/medicines'

/** Words for the form of a medicine, as people write them, and as the register does. */
const forms: readonly [word: RegExp, registered: RegExp][] = [
  [/^(?:compress.*|cpr|cp)$/, /compress/],
  [/^(?:capsul.*|cps)$/, /capsul/],
  [/^supp/, /suppost/],
  [/^scirop/, /scirop/],
  [/^bust/, /bustin/],
  [/^gocc/, /gocc/],
  [/^crema$/, /crema/],
  [/^gel$/, /gel/],
  [/^spray$/, /spray/],
  [/^collir/, /collir/],
  [/^cerott/, /cerott/],
  [/^(?:pomat|unguent)/, /pomat|unguent/],
]

/** A number, not as a part of a word such as 'B12' or of a telephone number; and the unit after it. */
const numbers = /(?<![\p{L}\d.,])(\d{1,5}(?:[.,]\d+)?)\s*(g\b|conf|pz|pezz|x\s*\d)?/gu

function numbersIn(text: string): Set<number> {
  const found = new Set<number>()
  for (const [, digits = '', unit] of text.matchAll(numbers)) {
    const value = Number(digits.replace(',', '.'))
    // '2 confezioni' and '2x10' say how many packs there are.
    if (unit !== undefined && unit !== 'g') continue
    found.add(value)
    if (unit === 'g') found.add(value * 1_000)
  }
  return found
}

const wordsOf = (text: string) => text.split(/[^\p{L}]+/u).filter((word) => word.length > 1)

/**
 * What the name of an offer says that the pack of its code does not: another product, strength, number of pieces or form;
 * null where there is nothing.
 */
export function medicineMismatch(name: string, { name: product, pack }: Medicine): string | null {
  const typed = name.toLowerCase()
  if (typed.trim() === '') return null
  const own = wordsOf(product.toLowerCase()).filter((word) => word.length > 2)
  if (own.length > 0 && !own.some((word) => typed.includes(word))) return name.trim()
  const registered = `${product} ${pack}`.toLowerCase()
  const known = numbersIn(registered)
  for (const number of numbersIn(typed))
    if (![number, number * 1_000].some((each) => known.has(each)))
      return String(number).replace('.', ',')
  if (!forms.some(([, inPack]) => inPack.test(registered))) return null
  const called = wordsOf(typed).filter((word) => forms.some(([form]) => form.test(word)))
  const isRight = called.some((word) =>
    forms.some(([form, inPack]) => form.test(word) && inPack.test(registered)),
  )
  return isRight ? null : (called[0] ?? null)
}
