// @ts-check

const feature = 'web/src/features/priority-visit'
const tests = [`${feature}/visit-page.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the token of a customer leaves the address',
    file: `${feature}/token.ts`,
    find: '  keepToken(found, location.pathname)\n',
    replace: '',
    tests,
  },
  {
    name: 'an older answer does not take a call back',
    file: `${feature}/use-visit.ts`,
    find: 'one && one.version > other.version ? one : other',
    replace: 'one && one.version < 0 ? one : other',
    tests,
  },
  {
    name: 'a customer is not told that somebody knows while no operator is there',
    file: `${feature}/visit-texts.ts`,
    find: 'return isAttended ? ATTENDED : NOT_ATTENDED',
    replace: 'return isAttended ? ATTENDED : meanings[status]',
    tests,
  },
  {
    name: 'the call is announced at once',
    file: `${feature}/visit-card.tsx`,
    find: "role={isCalled ? 'alert' : 'status'}",
    replace: 'role="status"',
    tests,
  },
]
