/** The highest price, in cents: 99.999,99 €. */
export const MAX_CENTS = 9_999_999

/**
 * Parses a price in Italian notation: `9,90`, `9.90`, `€ 9,90`, `1.234,50 €`, `12`.
 *
 * @returns cents, possibly 0; undefined for anything else, such as a sign or more than two decimals
 */
export function parsePrice(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^(?:€|euro?)|(?:€|euro?)$/i, '')
    .trim()
  const match = /^(\d{1,5}|\d{1,2}\.\d{3}(?=,|$))(?:[.,](\d{1,2}))?$/.exec(plain)
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  const cents = Number(whole.replace('.', '')) * 100 + Number(decimals.padEnd(2, '0'))
  return cents <= MAX_CENTS ? cents : undefined
}

const euros = new Intl.NumberFormat('it-IT', {
  style: 'currency',
  currency: 'EUR',
  useGrouping: 'always',
})

/** Formats cents for display: `9,90 €`, `1.234,50 €`. */
export function formatPrice(cents: number): string {
  return euros.format(cents / 100)
}
