// @ts-check

/** Limits. Without an entry, a caller can use up what all pharmacies share, or guess without end. */
/** @type {import('../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'X-Forwarded-For is ignored when no proxy is configured',
    file: 'server/src/http/app.ts',
    find: `trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,`,
    replace: 'trustProxy: true,',
    tests: ['server/test/pitfalls/links.test.ts'],
  },
  {
    name: 'TRUST_PROXY as a number trusts no more hops than that',
    file: 'server/src/http/app.ts',
    find: '(_address, hop) => hop < hops',
    replace: '() => true',
    tests: ['server/test/http.test.ts'],
  },
  {
    name: 'an account limit that strangers exhaust does not lock a known address out',
    file: 'server/src/platform/auth/sign-in.service.ts',
    find: `if (!(await isKnownAddress(context, userId, caller, ['signed_in']))) tooManyRequests(why)`,
    replace: 'if (userId && caller && isKnownAddress) tooManyRequests(why)',
    tests: ['server/test/pitfalls/links.test.ts'],
  },
  {
    name: 'a mailed code is worthless after five wrong guesses',
    file: 'server/src/platform/auth/one-time-tokens.service.ts',
    find: 'await limits.take(...guesses).catch((error: unknown) => {',
    replace: 'await Promise.resolve().catch((error: unknown) => {',
    tests: ['server/test/conformance/mail-codes.test.ts'],
  },
  {
    name: 'guesses of the current password in an open session are limited',
    file: 'server/src/platform/auth/reauthentication.ts',
    find: `    await limits.take(guess).catch(tooManyRequests)
`,
    replace: '',
    tests: ['server/test/pitfalls/robustness.test.ts'],
  },
  {
    name: 'the queue of password hashes is bounded',
    file: 'server/src/platform/auth/passwords.ts',
    find: `  maxWaiting: 200,
`,
    replace: '',
    tests: ['server/test/pitfalls/robustness.test.ts'],
  },
  {
    name: 'bodies of strangers take a bounded memory',
    file: 'server/src/platform/request-bodies.ts',
    find: '      if (!fits(network, byteLength)) {',
    replace: '      if (byteLength === 0) {',
    tests: ['server/src/http/public-bodies.test.ts'],
  },
  {
    name: 'concurrent uploads cannot exceed the storage quota of a folder',
    file: 'server/src/platform/storage/objects.store.ts',
    find: `        await lockFolder(tx, name)
`,
    replace: '',
    tests: ['server/src/platform/storage/quota.test.ts'],
  },
  {
    name: 'rows of a pharmacy end at their limit',
    file: 'server/src/database/row-limit.ts',
    find: 'if (Number(count) < max) return',
    replace: 'if (Number(count) >= 0) return',
    tests: ['server/src/features/api-keys/api-keys.test.ts'],
  },
  {
    name: 'a device cookie that the server did not sign is none',
    file: 'server/src/platform/auth/cookies.ts',
    find: 'given.length !== expected.length || !timingSafeEqual(given, expected)',
    replace: 'given.length !== expected.length || timingSafeEqual(given, given) === false',
    tests: ['server/test/pitfalls/lockout.test.ts'],
  },
  {
    name: 'notes that are added at the same time keep to their limit',
    file: 'server/src/features/analytics/notes.store.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/analytics/traffic.test.ts'],
  },
  {
    name: 'exports that are asked for at the same time keep to their limit',
    file: 'server/src/features/orders/exports/order-exports.store.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/orders/exports/order-exports.test.ts'],
  },
  {
    name: 'offers that are activated at the same time keep to the limit of the pharmacy',
    file: 'server/src/wiring/offers.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/offers/offers-limit.test.ts'],
  },
  {
    name: 'five digits are tried of a priority session, and no more',
    file: 'server/src/features/priority/customer/customer.service.ts',
    find: 'if (error instanceof TooManyRequests) return false',
    replace: 'if (error instanceof TooManyRequests) return true',
    tests: ['server/src/features/priority/customer/customer-guesses.test.ts'],
  },
  {
    name: 'a network can try few tokens of a pharmacy in a minute',
    file: 'server/src/features/priority/customer/customer.service.ts',
    find: '? ofNetwork(`priority-${kind}`, ip, found?.id)',
    replace: '? ofNetwork(`priority-${kind}`, ip, token)',
    tests: ['server/src/features/priority/customer/customer-guesses.test.ts'],
  },
  {
    name: 'a network can try few numbers of a pharmacy in a minute',
    file: 'server/src/features/priority/customer/customer.service.ts',
    find: `      await take(ofThisNetwork)
`,
    replace: '',
    tests: ['server/src/features/priority/customer/customer.test.ts'],
  },
  {
    name: 'guesses in a network refuse nobody with a link who shares it',
    file: 'server/src/features/priority/customer/customer.service.ts',
    find: `      id === undefined
        ? ofNetwork(\`priority-\${kind}\``,
    replace: `      id !== null
        ? ofNetwork(\`priority-\${kind}\``,
    tests: ['server/src/features/priority/customer/customer.test.ts'],
  },
  {
    name: 'the changes of a priority session are limited, whichever network they come from',
    file: 'server/src/features/priority/customer/customer.service.ts',
    find: ': { limit: `priority-link-${kind}`, subject: id }',
    replace: ': { limit: `priority-link-${kind}`, subject: ip }',
    tests: ['server/src/features/priority/customer/customer.test.ts'],
  },
  {
    name: 'attempts at the second factor are limited',
    file: 'server/src/platform/auth/attempt-limits.ts',
    find: 'for (const count of counted) await limits.take(count).catch(tooManyRequests)',
    replace: '',
    tests: ['server/test/pitfalls/second-factor-guessing.test.ts'],
  },
  {
    name: 'a picture with too many pixels is refused before it is decoded',
    file: 'server/src/adapters/sharp-pictures/picture-rendering.ts',
    find: `  if (isTooWide(format, found)) return 'too_wide'
`,
    replace: '',
    tests: ['server/src/adapters/sharp-pictures/hostile-pictures.test.ts'],
  },
]
