/** A shelf label is 70 × 37 mm: three in a row, eight rows on an A4 sheet, as commercially available. */
export const LABELS_ON_SHEET = 24

/** Products per flyer sheet: the fewer there are, the larger they are printed. */
const LARGE = 4
const TALL = 6
const USUAL = 9

export type FlyerPage<T> = { offers: T[]; size: 'large' | 'tall' | 'usual' }

/** Splits the offers into sheets of a flyer, each filled from the top. */
export function flyerPages<T>(offers: readonly T[]): FlyerPage<T>[] {
  const { length } = offers
  const size = length <= LARGE ? 'large' : length <= TALL ? 'tall' : 'usual'
  return chunks(offers, USUAL).map((page) => ({ offers: page, size }))
}

/**
 * Splits the offers into sheets of labels. Null: a used label. @param first number of the first unused label, from 1
 */
export function labelPages<T>(offers: readonly T[], first: number): (T | null)[][] {
  if (offers.length === 0) return []
  const used = Array.from({ length: first - 1 }, () => null)
  return chunks([...used, ...offers], LABELS_ON_SHEET)
}

function chunks<T>(all: readonly T[], most: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, page) =>
    all.slice(page * most, (page + 1) * most),
  )
}
