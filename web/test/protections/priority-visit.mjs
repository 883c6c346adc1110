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
    name: 'a customer is not promised a call while no operator is there',
    file: `${feature}/visit-texts.ts`,
    find: 'return isAttended ? ATTENDED : NOT_ATTENDED',
    replace: 'return isAttended ? ATTENDED : meanings[status]',
    tests,
  },
  {
    name: 'the login page of a network does not end the page of a customer',
    file: `${feature}/calls.ts`,
    find: 'return finalCodes.has(this.failure.code)',
    replace: 'return this.failure.status >= 400 && this.failure.status < 500',
    tests,
  },
  {
    name: 'the server decides about an arrival, not the clock of the phone',
    file: `${feature}/arrival-card.tsx`,
    find: 'if (sending === to) return',
    replace: "if (sending === to || (to === 'user_arrived' && closed !== null)) return",
    tests,
  },
  {
    name: 'the screen does not stay on after an arrival that failed',
    file: `${feature}/visit-page.tsx`,
    find: 'if (!isWaiting) screenLock.release()',
    replace: '',
    tests,
  },
  {
    name: 'a customer in a car is not sent to the counter',
    file: `${feature}/visit-texts.ts`,
    find: 'return place === null ? meanings.called : CALLED_IN_CAR',
    replace: 'return meanings.called',
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
