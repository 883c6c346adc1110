/** The largest price there is, in cents: 99.999,99 €. */
export const MOST_CENTS = 9_999_999

/**
 * Reads a price as people write it in Italy: `9,90`, `9.90`, `€ 9,90`, `1.234,50 €`, `12`.
 *
 * @returns cents, 0 among them; undefined when it is no price: signs, more than two decimals, other words
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
  return cents <= MOST_CENTS ? cents : undefined
}

const euros = new Intl.NumberFormat('it-IT', {
  style: 'currency',
  currency: 'EUR',
  useGrouping: 'always',
})

/** Cents as they are shown: `9,90 €`, `1.234,50 €`. */
export function formatPrice(cents: number): string {
  return euros.format(cents / 100)
}
