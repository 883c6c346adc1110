// @ts-check

const app = 'web/src/app'
const session = 'web/src/features/session'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a change that waits for a connection is not sent by the user who signs in next',
    file: 'web/src/features/orders/use-change-status.ts',
    find: 'if (userChanged()) throw error',
    replace: '',
    tests: [`${app}/routes/dashboard-status.test.tsx`],
  },
  {
    name: 'a late answer does not bring back a session that was left',
    file: 'web/src/lib/session-store.ts',
    find: 'if (stored.id !== browserStorage.getItem(signedOutKey)) return stored',
    replace: 'if (stored.id !== null) return stored',
    tests: [`${app}/session-end.test.tsx`],
  },
  {
    name: 'an expired token is refreshed before it is used',
    file: 'web/src/lib/session-store.ts',
    find: 'return expiresAt - Date.now() >= EXPIRY_MARGIN_MS',
    replace: 'return expiresAt > 0',
    tests: ['web/src/lib/session-store.test.ts'],
  },
  {
    name: 'the auth client is loaded in time to refresh the token',
    file: 'web/src/lib/session-store.ts',
    find: 'setTimeout(() => void auth().catch(() => undefined), CLIENT_DELAY_MS)',
    replace: '0',
    tests: ['web/src/lib/session-store.test.ts'],
  },
  {
    name: 'signing out in one tab signs the other tabs out',
    file: 'web/src/lib/session-store.ts',
    find: 'if (key === storageKey || key === null) sync()',
    replace: 'if (key === null) sync()',
    tests: [`${app}/session-end.test.tsx`],
  },
  {
    name: 'the place to return to after a sign-in is for the same user only',
    file: `${app}/login-state.ts`,
    find: 'if (user !== null && user !== userId) return home',
    replace: '',
    tests: [`${app}/session-end.test.tsx`],
  },
  {
    name: 'a link from a mail leads to no other site',
    file: `${session}/mail-link.ts`,
    find: `sameOriginPath(parts.get('redirect_to'))`,
    replace: `parts.get('redirect_to')`,
    tests: [`${session}/mail-link.test.ts`],
  },
  {
    name: 'a reload on a preview host clears what the tab has stored',
    file: `${app}/preview-host.ts`,
    find: '  tabStorage.clear()\n',
    replace: '',
    tests: [`${app}/preview-host.test.ts`],
  },
  {
    name: 'the code of an external sign-in is removed from the URL and the history',
    file: `${app}/use-oauth-callback.ts`,
    find: '    let over = false\n    clean()\n',
    replace: '    let over = false\n',
    tests: [`${app}/external-sign-in.test.tsx`],
  },
  {
    name: 'a session without its second factor opens no page',
    file: `${app}/require-session.tsx`,
    find: `session.status === 'signed-in' && !session.factorNeeded`,
    replace: `session.status === 'signed-in'`,
    tests: [`${app}/second-step.test.tsx`],
  },
  {
    name: 'a colleague who is removed while working is signed out at once',
    file: 'web/src/lib/api.ts',
    find: `    sessions[area].invalidate(token, 'closed')\n`,
    replace: '',
    tests: [`${app}/shell/colleague-at-work.test.tsx`],
  },
  {
    name: 'drafts are removed from the tab when the session ends',
    file: `${app}/providers.tsx`,
    find: `        clearDrafts('pharmacy')\n`,
    replace: '',
    tests: [`${app}/routes/dashboard-notes.test.tsx`],
  },
  {
    name: 'drafts with data of customers are removed also when the session ended elsewhere',
    file: 'web/src/lib/drafts.ts',
    find: '.filter(([name]) => LASTING.test(name))',
    replace: '',
    tests: ['web/src/lib/drafts.test.ts'],
  },
  {
    name: 'reading without a network fails with a message instead of waiting',
    file: 'web/src/lib/query-client.ts',
    find: `        networkMode: 'always',\n        refetchOnReconnect`,
    replace: '        refetchOnReconnect',
    tests: ['web/src/lib/query-client.test.ts'],
  },
]
