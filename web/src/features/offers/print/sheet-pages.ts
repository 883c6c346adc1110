/** A shelf label is 70 × 37 mm: three in a row, eight rows on an A4 sheet, as they are sold. */
export const LABELS_ON_SHEET = 24

/** Products on a sheet of a flyer: the fewer there are, the larger they are shown. */
const LARGE = 4
const TALL = 6
const USUAL = 9

export type FlyerPage<T> = { offers: T[]; size: 'large' | 'tall' | 'usual' }

/** The sheets of a flyer, each filled from the top. */
export function flyerPages<T>(offers: readonly T[]): FlyerPage<T>[] {
  const { length } = offers
  const size = length <= LARGE ? 'large' : length <= TALL ? 'tall' : 'usual'
  return chunks(offers, USUAL).map((page) => ({ offers: page, size }))
}

/** The sheets of labels. Null: a place that is used already. @param first the first free place, from 1 */
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
