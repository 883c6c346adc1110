import type { Day } from '@bancone/contract/dates'
import { shownPrice } from '@bancone/contract/offer-prices'
import { describe, expect, it } from 'vitest'
import { type PriceTerms, priorPrice, type Reduction } from './price-history.rules.ts'

const today = '2026-06-30'

/** An offer of 10,00 € that costs 8,00 € from the first of its days. */
function terms(
  fromDay: Day,
  toDay: Day | null = null,
  given: Partial<PriceTerms> = {},
): PriceTerms {
  return {
    offerId: 'own',
    listPrice: 1000,
    offerPrice: 800,
    startDate: fromDay,
    endDate: null,
    isActive: true,
    fromDay,
    toDay,
    endedAt: toDay && `${toDay}T10:00:00.000Z`,
    ...given,
  }
}

/** The list price alone. */
const plain = (fromDay: Day, toDay: Day | null = null, given: Partial<PriceTerms> = {}) =>
  terms(fromDay, toDay, { isActive: false, ...given })

function prior(known: PriceTerms[], given: Partial<Reduction> = {}, day = today) {
  const reduction = { offerId: 'own', listPrice: 1000, offerPrice: 800, declared: null }
  return priorPrice(known, { ...reduction, startDate: '2026-01-01', ...given }, day)
}

function shown(known: PriceTerms[], given: Partial<Reduction> = {}) {
  const { listPrice = 1000, offerPrice = 800 } = given
  const { type, before, percent } = shownPrice(listPrice, offerPrice, prior(known, given))
  return { type, before, percent }
}

describe('the law', () => {
  it('measures by the price that was taken for forty days', () => {
    const known = [plain('2026-05-21', '2026-06-30'), terms('2026-06-30')]
    expect(shown(known)).toEqual({ type: 'discount', before: 1000, percent: 20 })
  })

  it('takes it for no reduction when the product cost less ten days ago', () => {
    const known = [
      terms('2026-05-01', '2026-06-30', { offerPrice: 700, endDate: '2026-06-20' }),
      terms('2026-06-30'),
    ]
    expect(prior(known)).toEqual({ cents: 700, declared: false })
    expect(shown(known)).toEqual({ type: 'featured', before: null, percent: 0 })
  })

  it('measures a price that is reduced further by the one before the first reduction', () => {
    const known = [
      plain('2026-01-01', '2026-05-10'),
      terms('2026-05-10', '2026-06-20'),
      terms('2026-06-20', null, { offerPrice: 600 }),
    ]
    expect(shown(known, { offerPrice: 600 })).toEqual({
      type: 'discount',
      before: 1000,
      percent: 40,
    })
  })

  it('measures by the list price before it was raised a week ago', () => {
    const known = [
      plain('2026-01-01', '2026-06-23'),
      plain('2026-06-23', '2026-06-30', { listPrice: 1400 }),
      terms('2026-06-30', null, { listPrice: 1400, offerPrice: 900 }),
    ]
    expect(shown(known, { listPrice: 1400, offerPrice: 900 })).toEqual({
      type: 'discount',
      before: 1000,
      percent: 10,
    })
  })

  it('takes a price that is raised, though below the list price, for another reduction', () => {
    const known = [
      plain('2026-01-01', '2026-05-10'),
      terms('2026-05-10', '2026-06-20', { offerPrice: 700 }),
      terms('2026-06-20'),
    ]
    expect(shown(known)).toEqual({ type: 'featured', before: null, percent: 0 })
  })
})

describe('the thirty days', () => {
  const reduction = terms('2026-06-30')

  it.each([
    ['of which the first is the last of a lower price', '2026-05-31', 500],
    ['that begin on the day after a lower price', '2026-05-30', 1000],
  ])('are those %s', (_what, lastDay, cents) => {
    const known = [
      terms('2026-05-01', '2026-06-30', { offerPrice: 500, endDate: lastDay }),
      reduction,
    ]
    expect(prior(known)?.cents).toBe(cents)
  })

  it('have the lower price of the same morning, which was raised', () => {
    const known = [
      plain('2026-05-01', '2026-06-30'),
      terms('2026-06-30', '2026-06-30', { offerPrice: 500 }),
      reduction,
    ]
    expect(prior(known)).toEqual({ cents: 500, declared: false })
    // A draft that raises it.
    expect(prior([...known.slice(0, 1), terms('2026-06-30', null, { offerPrice: 500 })])).toEqual({
      cents: 500,
      declared: false,
    })
  })

  it('have no higher price of the same morning, which was lowered', () => {
    const known = [
      plain('2026-05-01', '2026-06-30'),
      terms('2026-06-30', '2026-06-30', { offerPrice: 900 }),
      reduction,
    ]
    expect(prior(known)?.cents).toBe(1000)
  })

  it('are counted from the day that ended with the reduced price, also when its morning had a lower one', () => {
    const known = [
      terms('2026-01-01', '2026-06-19', { offerPrice: 600, endDate: '2026-05-21' }),
      terms('2026-06-20', '2026-06-20', { offerPrice: 700 }),
      terms('2026-06-20'),
    ]
    expect(prior(known)).toEqual({ cents: 600, declared: false })
  })

  it('have the price that was written long before them, while it stands', () => {
    const known = [plain('2020-02-03', '2026-06-30', { listPrice: 900 }), reduction]
    expect(prior(known)).toEqual({ cents: 900, declared: false })
  })

  it('are counted from the reduction, whose own price is not among them', () => {
    const known = [plain('2022-01-01', '2023-03-01'), terms('2023-03-01')]
    expect(prior(known)).toEqual({ cents: 1000, declared: false })
  })

  it('have nothing of a reduction that is still to come', () => {
    const known = [
      plain('2026-01-01', '2026-06-01'),
      terms('2026-06-01', '2026-06-30', { offerPrice: 500, startDate: '2026-07-10' }),
      reduction,
    ]
    expect(prior(known)?.cents).toBe(1000)
  })

  it('have a price that was taken for one day', () => {
    const known = [
      plain('2026-01-01', '2026-06-11'),
      terms('2026-06-11', '2026-06-11', { offerPrice: 500 }),
      plain('2026-06-11', '2026-06-30'),
      reduction,
    ]
    expect(prior(known)?.cents).toBe(500)
  })

  it('have no list price that was corrected on the day on which it was written', () => {
    const known = [
      plain('2026-05-01', '2026-06-11'),
      plain('2026-06-11', '2026-06-11', { listPrice: 100, offerPrice: 90 }),
      plain('2026-06-11', '2026-06-30'),
      reduction,
    ]
    expect(prior(known)).toEqual({ cents: 1000, declared: false })
  })

  it('have the list price of the offer when it was over', () => {
    const known = [
      terms('2026-01-01', '2026-06-30', { listPrice: 900, endDate: '2026-02-28' }),
      reduction,
    ]
    expect(prior(known)).toEqual({ cents: 900, declared: false })
  })

  it('are all there on the day on which thirty are known', () => {
    const known = [plain('2026-05-31', '2026-06-30'), reduction]
    expect(prior(known)).toEqual({ cents: 1000, declared: false })
    const later = [plain('2026-06-01', '2026-06-30'), reduction]
    expect(prior(later)).toBeNull()
    expect(shown(later)).toEqual({ type: 'featured', before: null, percent: 0 })
  })
})

describe('a reduction', () => {
  const before = plain('2026-01-01', '2026-06-10')
  const first = terms('2026-06-10', '2026-06-20')

  it('goes on when it is switched off and on again within a day', () => {
    const known = [before, first, plain('2026-06-20', '2026-06-20'), terms('2026-06-20')]
    expect(prior(known)?.cents).toBe(1000)
  })

  it('goes on when it is switched on the day after', () => {
    const known = [before, first, plain('2026-06-20', '2026-06-21'), terms('2026-06-21')]
    expect(prior(known)?.cents).toBe(1000)
  })

  it('is over after a whole day without it', () => {
    const known = [before, first, plain('2026-06-20', '2026-06-22'), terms('2026-06-22')]
    expect(prior(known)?.cents).toBe(800)
  })

  it('goes on when it is lengthened after its last day', () => {
    const ended = terms('2026-06-10', '2026-06-30', { endDate: '2026-06-29' })
    expect(prior([before, ended, terms('2026-06-30')])?.cents).toBe(1000)
    const earlier = { ...ended, endDate: '2026-06-28' }
    expect(prior([before, earlier, terms('2026-06-30')])?.cents).toBe(800)
  })

  it.each(['2026-06-10', '2026-06-15'])('is begun anew when it is cut and raised on %s', (day) => {
    const cut = terms(day, day, { offerPrice: 500, endedAt: `${day}T09:00:00.000Z` })
    expect(prior([before, terms('2026-06-10', day), cut, terms(day)])?.cents).toBe(500)
  })

  it('is begun anew by one that stood overnight and is raised', () => {
    const slip = terms('2026-06-10', '2026-06-11', { offerPrice: 80 })
    expect(prior([before, slip, terms('2026-06-11')])?.cents).toBe(80)
  })

  it('is over while the list price is no higher', () => {
    const known = [
      before,
      first,
      terms('2026-06-20', '2026-06-25', { listPrice: 800 }),
      terms('2026-06-25', null, { listPrice: 1000, offerPrice: 700 }),
    ]
    expect(prior(known, { offerPrice: 700 })?.cents).toBe(800)
  })

  it('may have begun years ago and have been changed hundreds of times', () => {
    const day = (number: number) => new Date(Date.UTC(2024, 0, number)).toISOString().slice(0, 10)
    const known = Array.from({ length: 300 }, (_, number) =>
      terms(day(number + 1), day(number + 2), { offerPrice: 900 - number }),
    )
    const all = [
      plain('2023-01-01', '2024-01-01'),
      ...known,
      terms(day(301), null, { offerPrice: 500 }),
    ]
    expect(prior(all, { offerPrice: 500 })?.cents).toBe(1000)
    // Raised once, half way.
    const raised = all.with(150, terms(day(150), day(151), { offerPrice: 400 }))
    expect(prior(raised, { offerPrice: 500 })?.cents).toBe(400)
  })

  it('is none of its own list price', () => {
    expect(prior([terms('2026-01-01')], { offerPrice: 1000 })).toBeNull()
  })
})

describe('a reduction of which not all prices before it are known', () => {
  const some = [plain('2026-06-20', '2026-06-30'), terms('2026-06-30')]

  it('is none until the pharmacy has declared the lowest one', () => {
    expect(prior([])).toBeNull()
    expect(prior([terms('2026-06-10')])).toBeNull()
    expect(prior(some)).toBeNull()
  })

  it('is measured by what the pharmacy says', () => {
    expect(prior([], { declared: 950 })).toEqual({ cents: 950, declared: true })
  })

  it('is measured by the lower one, when some days are known', () => {
    expect(prior(some, { declared: 950 })).toEqual({ cents: 950, declared: true })
    expect(prior(some, { declared: 1200 })).toEqual({ cents: 1000, declared: true })
  })

  it('forgets what was said once all days are known', () => {
    const known = [plain('2026-01-01', '2026-06-30'), terms('2026-06-30')]
    expect(prior(known, { declared: 500 })).toEqual({ cents: 1000, declared: false })
  })
})

describe('before it is published', () => {
  it('a reduction to come is measured from its first day', () => {
    const known = [
      terms('2026-05-01', '2026-06-11', { offerPrice: 500, endDate: '2026-06-10' }),
      plain('2026-06-11'),
    ]
    // From June 9 on, and from June 11.
    expect(prior(known, { startDate: '2026-07-09' })?.cents).toBe(500)
    expect(prior(known, { startDate: '2026-07-11' })?.cents).toBe(1000)
  })

  it('a new one to come is measured by the list price that it has from today on', () => {
    const asked = { offerId: null, startDate: '2026-07-05' }
    expect(prior([], asked)).toBeNull()
    expect(prior([], { ...asked, startDate: '2026-07-30' })).toEqual({
      cents: 1000,
      declared: false,
    })
  })

  it('one that is switched off is measured as if it began today', () => {
    const known = [plain('2026-04-01')]
    expect(prior(known)).toEqual({ cents: 1000, declared: false })
    const paused = [terms('2026-04-01', '2026-06-15'), plain('2026-06-15')]
    expect(prior(paused)?.cents).toBe(800)
  })

  it('one that was switched off today goes on when it is switched on', () => {
    const known = [plain('2026-01-01', '2026-06-10'), terms('2026-06-10', today), plain(today)]
    expect(prior(known)?.cents).toBe(1000)
  })

  it('one that is put off ends today', () => {
    const known = [plain('2026-01-01', '2026-06-10'), terms('2026-06-10')]
    expect(prior(known, { startDate: '2026-07-01' })?.cents).toBe(1000)
    expect(prior(known, { startDate: '2026-07-02' })?.cents).toBe(800)
  })

  it('a list price that is raised now does not raise what it is measured by', () => {
    const known = [plain('2026-01-01')]
    expect(prior(known, { listPrice: 1400 })?.cents).toBe(1000)
    expect(prior(known, { listPrice: 1400, startDate: '2026-07-30' })?.cents).toBe(1000)
    expect(prior(known, { listPrice: 1400, startDate: '2026-07-31' })?.cents).toBe(1400)
  })
})

describe('other offers of the same product', () => {
  const own = terms('2026-06-20')
  const other = { offerId: 'other' }

  it('count with their list price until they end', () => {
    const known = (endDate: string | null) => [
      plain('2026-01-01', null, { ...other, listPrice: 900, endDate, startDate: '2026-01-01' }),
      own,
    ]
    expect(prior(known(null))).toEqual({ cents: 900, declared: false })
    expect(prior(known('2026-06-19'))?.cents).toBe(900)
    expect(prior(known('2026-06-18'))).toBeNull()
  })

  it('count with their reduced price', () => {
    const known = [
      plain('2026-05-01', '2026-06-20'),
      terms('2026-05-01', '2026-06-10', { ...other, offerPrice: 700 }),
      own,
    ]
    expect(prior(known)).toEqual({ cents: 700, declared: false })
  })

  it('were the same reduction, when one was removed and made anew', () => {
    const known = [
      plain('2026-01-01', '2026-06-01', { ...other }),
      terms('2026-06-01', '2026-06-20', { ...other }),
      own,
    ]
    expect(prior(known)?.cents).toBe(1000)
    const late = terms('2026-06-22')
    expect(prior([...known.slice(0, 2), late])).toBeNull()
    expect(prior([...known.slice(0, 2), late], { declared: 900 })?.cents).toBe(800)
  })

  it('make a higher price no reduction while they are cheaper', () => {
    const known = [
      plain('2026-01-01', '2026-06-01', { ...other }),
      terms('2026-06-01', null, { ...other, offerPrice: 700 }),
      own,
    ]
    expect(prior(known)?.cents).toBe(700)
  })

  it('end this reduction when they are cheaper for its last or its only day', () => {
    const known = (given: Partial<PriceTerms>) => [
      plain('2026-01-01', '2026-06-01'),
      terms('2026-06-01'),
      terms('2026-05-20', null, { ...other, offerPrice: 700, endDate: '2026-06-10', ...given }),
    ]
    expect(prior(known({ startDate: '2026-06-10' }))?.cents).toBe(700)
    // Whether it is taken away after it or not.
    expect(prior(known({ startDate: '2026-06-10', toDay: '2026-06-12' }))?.cents).toBe(700)
    expect(prior(known({ startDate: '2026-06-11', endDate: null, isActive: false }))?.cents).toBe(
      1000,
    )
  })

  it('are known in part only', () => {
    const known = [plain('2026-06-05', '2026-06-07', { ...other }), own]
    expect(prior(known)).toBeNull()
    expect(prior(known, { declared: 1100 })).toEqual({ cents: 1000, declared: true })
  })

  it('are not known for the days between one that was removed and this one', () => {
    const known = (lastDay: string) => [plain('2026-01-01', lastDay, { ...other }), own]
    expect(prior(known('2026-06-19'))).toEqual({ cents: 1000, declared: false })
    expect(prior(known('2026-06-18'))).toBeNull()
    expect(prior(known('2026-06-18'), { declared: 900 })).toEqual({ cents: 900, declared: true })
  })
})
