// @ts-check

/** Prices. Without an entry, customers see a reduction that is not real. */
/** @type {import('../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a raised price begins a new reduction with its own lowest price of 30 days',
    file: 'server/src/features/offers/prices/price-history.rules.ts',
    find: 'if (last === undefined || last < price) break',
    replace: 'if (last === undefined) break',
    tests: ['server/src/features/offers/prices/price-history.rules.test.ts'],
  },
  {
    name: 'a declared prior price above the list price is refused',
    file: 'contract/src/offer-rules.ts',
    find: `return prior !== null && prior > list ? 'offers.prior_above_list' : undefined`,
    replace: 'return undefined',
    tests: ['contract/src/offer-rules.test.ts'],
  },
  {
    name: 'a price is no reduction while the prices of the 30 days before are neither known nor declared',
    file: 'server/src/features/offers/prices/price-history.rules.ts',
    find: 'return declared === null ? null : { cents: Math.min(...lowest, declared), declared: true }',
    replace:
      'return { cents: Math.min(...lowest, declared ?? reduction.listPrice), declared: true }',
    tests: ['server/src/features/offers/prices/price-history.rules.test.ts'],
  },
]
