// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a raised price begins a new reduction with its own lowest price of 30 days',
    file: 'server/src/features/offers/prices/price-history.rules.ts',
    find: 'if (last === undefined || last < price) break',
    replace: 'if (last === undefined) break',
    tests: ['server/src/features/offers/prices/price-history.rules.test.ts'],
  },
  {
    name: 'the price history keeps the terms from before the end date of an offer was removed',
    file: 'server/src/database/migrations/0009_offers.sql',
    find: '    old.end_date is not distinct from new.end_date and\n',
    replace: '    (old.end_date = new.end_date) is not false and\n',
    tests: ['server/src/features/offers/prices/price-terms.test.ts'],
  },
  {
    name: 'offers that are activated at the same time keep to the limit of the pharmacy',
    file: 'server/src/wiring-offers.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/offers/offers-limit.test.ts'],
  },
  {
    name: 'an offer of a medicine needs a product code with a valid check digit',
    file: 'contract/src/offer-rules.ts',
    find: "return parseMinsan(code)?.check === 'valid' ? undefined : 'offers.wrong_code'",
    replace: 'return undefined',
    tests: ['contract/src/offer-rules.test.ts'],
  },
  {
    name: 'a declared prior price above the list price is refused',
    file: 'contract/src/offer-rules.ts',
    find: "return prior !== null && prior > list ? 'offers.prior_above_list' : undefined",
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
  {
    name: 'a price without a prior price is shown as no reduction',
    file: 'contract/src/offer-prices.ts',
    find: 'const before = prior && Math.min(list, prior.cents)',
    replace: 'const before = Math.min(list, prior?.cents ?? list)',
    tests: ['contract/src/offer-prices.test.ts'],
  },
  {
    name: 'a list price that is raised far is kept in the trail',
    file: 'server/src/features/offers/offers.service.ts',
    find: 'await recordRaise(writing, { userId, pharmacy }, offerId, draft)\n        await offers.update',
    replace: 'await offers.update',
    tests: ['server/src/features/offers/offers.test.ts'],
  },
  {
    name: 'the code of a medicine makes an offer one in any category',
    file: 'contract/src/offer-rules.ts',
    find: 'return isAic(code) || isMedicine(regulatoryClass)',
    replace: 'return isMedicine(regulatoryClass)',
    tests: ['server/src/features/offers/published-offers.test.ts'],
  },
  {
    name: 'an offer that must not be published is not stored as active',
    file: 'server/src/features/offers/offers.service.ts',
    find: "if (offer.refusal !== null && offer.fields.Stato_Offerta === 'Attiva') refuse(offer.refusal)",
    replace: '',
    tests: ['server/src/features/offers/offers.test.ts'],
  },
  {
    name: 'an offer that has become one that must not be published is not shown',
    file: 'server/src/features/offers/published-offers.store.ts',
    find: '.filter(({ refusal }) => refusal === null)',
    replace: '',
    tests: ['server/src/features/offers/published-offers.test.ts'],
  },
  {
    name: 'the public data of a medicine has no description',
    file: 'server/src/features/offers/published-offers.service.ts',
    find: "const Descrizione = offer.medicine ? '' : fields.Descrizione",
    replace: 'const { Descrizione } = fields',
    tests: ['server/src/features/offers/published-offers.test.ts'],
  },
  {
    name: 'a product code of the assistant with a wrong check digit is not used',
    file: 'server/src/features/assistant/assistant.rules.ts',
    find: "if (check === 'wrong') return { text, code: null, problem: 'check_digit' }",
    replace: '',
    tests: ['server/src/features/assistant/assistant.rules.test.ts'],
  },
]
