// @ts-check

const priority = 'web/src/features/priority'
const arrivals = [`${priority}/arrivals/priority-arrivals.test.tsx`]
const board = [`${priority}/board/board-page.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a change of a visit says which state and version it saw, so that of two desks one wins',
    file: `${priority}/board/use-visit-change.ts`,
    find: 'body: { from: status, to, version, desk: deskName() }',
    replace: "body: { from: 'user_arrived', to, version: 1, desk: deskName() }",
    tests: board,
  },
  {
    name: 'what is taken back is the change of this page, and no later one',
    file: `${priority}/board/use-visit-change.ts`,
    find: 'body: { version: last.version }',
    replace: 'body: { version: last.version + 1 }',
    tests: board,
  },
  {
    name: 'a customer who was not there stays on the board',
    file: `${priority}/board/waiting-panel.tsx`,
    find: '{sentBack.length > 0 ?',
    replace: '{sentBack.length > 1_000 ?',
    tests: board,
  },
  {
    name: 'the keys of a barcode scanner call nobody',
    file: 'web/src/lib/keys.ts',
    find: '  if (isPart) {\n    swallowed = key',
    replace: '  if (burst.length > 1_000) {\n    swallowed = key',
    tests: board,
  },
  {
    name: 'an arrival is on the screen with its event',
    file: `${priority}/arrivals/priority-arrivals.tsx`,
    find: 'if (event !== topicEvents.priority && event !== topicEvents.missed) return',
    replace: 'if (event !== topicEvents.missed) return',
    tests: arrivals,
  },
  {
    name: 'without events arrivals are read every ten seconds',
    file: `${priority}/arrivals/priority-arrivals.tsx`,
    find: 'otherwise: 10_000',
    replace: 'otherwise: 60_000',
    tests: arrivals,
  },
  {
    name: 'the sound of an arrival ends when it was acknowledged on another screen',
    file: `${priority}/board/board-changes.ts`,
    find: 'filter(({ acknowledgedAt }) => acknowledgedAt === null)',
    replace: 'filter(({ status }) => status === "user_arrived")',
    tests: arrivals,
  },
  {
    name: 'an acknowledged arrival is silent here while the server cannot be reached',
    file: `${priority}/arrivals/use-acknowledge.ts`,
    find: '      acknowledgeHere(visits)\n',
    replace: '',
    tests: arrivals,
  },
  {
    name: 'an acknowledgement is sent again when the server can be reached',
    file: `${priority}/arrivals/use-acknowledge.ts`,
    find: 'if (readAt > 0) resend()',
    replace: '',
    tests: arrivals,
  },
  {
    name: 'an arrival is announced once per tab',
    file: `${priority}/arrivals/announced-arrivals.ts`,
    find: 'filter((visit) => !known.includes(arrivalKey(visit)))',
    replace: 'filter(() => known.length < MAX_STORED)',
    tests: arrivals,
  },
  {
    name: 'a blocked sound is said before a customer comes',
    file: 'web/src/features/notifications/use-news-sound.ts',
    find: 'const blocked = silenced || blockedBefore',
    replace: 'const blocked = silenced && !blockedBefore',
    tests: arrivals,
  },
  {
    name: 'an open page says that an operator is there',
    file: `${priority}/arrivals/use-presence.ts`,
    find: 'startSteadyInterval(report, COUNTER_HEARTBEAT_MS)',
    replace: 'startSteadyInterval(() => undefined, COUNTER_HEARTBEAT_MS)',
    tests: arrivals,
  },
  {
    name: 'a link does not lead away from settings that are not saved without a question',
    file: 'web/src/lib/use-leave-prompt.ts',
    find: '      event.preventDefault()\n',
    replace: '      if (next) return\n',
    tests: [`${priority}/priority-pages.test.tsx`],
  },
  {
    name: 'a text that is no number is not taken as 0',
    file: `${priority}/settings/settings-input.ts`,
    find: '.regex(/^\\d+$/, `Scrivi un numero intero di ${unit}, senza virgola e senza lettere.`)',
    replace: '',
    tests: [`${priority}/priority-pages.test.tsx`],
  },
  {
    name: 'links of customers are stored nowhere',
    file: `${priority}/links/links-dialog.tsx`,
    find: '        if (!isCancelled) setIssued(answer)\n',
    replace:
      "        if (!isCancelled) setIssued(answer)\n        sessionStorage.setItem('links', JSON.stringify(answer))\n",
    tests: [`${priority}/links/links-dialog.test.tsx`],
  },
  {
    name: 'a notification of arrivals has no name',
    file: 'web/public/sw.js',
    find: "body: (count) => (count === 1 ? '1 cliente in attesa' : `${count} clienti in attesa`),",
    replace: 'body: (count) => `Anna Bianchi e altri ${count}`,',
    tests: ['web/src/features/notifications/push-script.test.ts'],
  },
]
