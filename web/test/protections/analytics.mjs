// @ts-check

const analytics = 'web/src/features/analytics'
const page = ['web/src/app/routes/analytics.test.tsx']
const period = ['web/src/app/routes/analytics-period.test.tsx']
const access = ['web/src/app/routes/analytics-access.test.tsx']
const sentences = [`${analytics}/texts/sentences.test.ts`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a pharmacy without analytics is not shown its page',
    file: 'web/src/app/routes/analytics-routes.tsx',
    find: "hasFeature(pharmacy, 'analytics') ? (",
    replace: "pharmacy.pharmacyId !== '' ? (",
    tests: access,
  },
  {
    name: 'figures of another period are marked as such',
    file: `${analytics}/shown-figures.tsx`,
    find: 'aria-busy={isWaiting}',
    replace: 'aria-busy={false}',
    tests: period,
  },
  {
    name: 'a custom period reaches neither before 2020 nor beyond today',
    file: `${analytics}/period/analytics-address.ts`,
    find: 'if (day < FIRST_DAY) return',
    replace: "if (day < '1900-01-01') return",
    tests: period,
  },
  {
    name: 'without a past there is no trend',
    file: `${analytics}/summary/trend-line.tsx`,
    find: 'if (before === null) {',
    replace: 'if (before === undefined) {',
    tests: period,
  },
  {
    name: 'orders that could not be read are no fall',
    file: `${analytics}/summary/summary-cards.tsx`,
    find: 'data.ordersFailed ? null : previous',
    replace: 'previous',
    tests: page,
  },
  {
    name: 'old orders of Airtable are said to be old',
    file: `${analytics}/analytics-notices.tsx`,
    find: ') : isStale ? (',
    replace: ') : isStale && ordersFailed ? (',
    tests: page,
  },
  {
    name: 'only owners change the settings of analytics',
    file: `${analytics}/settings/settings-page.tsx`,
    find: 'inactive={!isOwner || isPending}',
    replace: 'inactive={isPending}',
    tests: page,
  },
  {
    name: 'the two hours at the end of summer time are told apart',
    file: 'contract/src/analytics-tables.ts',
    find: "isAt(i + 1) ? ', ora legale' : isAt(i - 1) ? ', ora solare' : ''",
    replace: "isAt(i + 1) ? '' : isAt(i - 1) ? '' : ''",
    tests: sentences,
  },
]
