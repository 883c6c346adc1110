// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a message with ids is believed only from the whole name of Meta',
    file: 'web/src/features/whatsapp/signup-messages.ts',
    find: `hostname === 'facebook.com' || hostname.endsWith('.facebook.com')`,
    replace: `hostname.endsWith('facebook.com')`,
    tests: ['web/src/features/whatsapp/signup-messages.test.ts'],
  },
  {
    name: 'a message with ids is believed only over https',
    file: 'web/src/features/whatsapp/signup-messages.ts',
    find: `protocol === 'https:' && `,
    replace: '',
    tests: ['web/src/features/whatsapp/signup-messages.test.ts'],
  },
  {
    name: 'a code is sent once',
    file: 'web/src/features/whatsapp/signup-join.ts',
    find: `
    if (isOver) return`,
    replace: '',
    tests: ['web/src/features/whatsapp/signup-join.test.ts'],
  },
  {
    name: 'a code that has expired is not sent',
    file: 'web/src/features/whatsapp/signup-join.ts',
    find: `Date.now() - at < CODE_MS`,
    replace: `at > 0`,
    tests: ['web/src/features/whatsapp/signup-join.test.ts'],
  },
]
