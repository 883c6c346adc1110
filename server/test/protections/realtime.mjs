// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a user joins the topic of their own pharmacy only',
    file: 'server/src/http/pharmacy-topics.ts',
    find: ' || pharmacyOfTopic(topic) !== pharmacy.id',
    replace: '',
    tests: ['server/test/realtime/joining.test.ts'],
  },
  {
    name: 'a handshake from the page of a foreign origin is refused',
    file: 'server/src/platform/realtime/websocket.routes.ts',
    find: "    if (!isAllowedOrigin(request, realtime)) throw new HttpError(403, 'This origin is not allowed')\n",
    replace: '',
    tests: ['server/test/realtime/handshake.test.ts'],
  },
  {
    name: 'the end of a session closes its channels at once',
    file: 'server/src/platform/realtime/rechecks.ts',
    find: "        if (ids.has(channel.grant.sessionId)) close(channel, 'The session has ended')\n",
    replace: '',
    tests: ['server/test/realtime/tokens.test.ts'],
  },
  {
    name: 'a grant given while its account changed is asked for again soon',
    file: 'server/src/platform/realtime/rechecks.ts',
    find: 'askedAt === changes ? nextRecheck(grant) : afterRetryDelay()',
    replace: 'askedAt >= 0 ? nextRecheck(grant) : afterRetryDelay()',
    tests: ['server/test/realtime/deciding.test.ts'],
  },
  {
    name: 'a new access token that is not valid closes the channel',
    file: 'server/src/platform/realtime/rechecks.ts',
    find: '      channel.token = token\n      check(channel)\n',
    replace: '      channel.token = token\n',
    tests: ['server/test/realtime/tokens.test.ts'],
  },
  {
    name: 'presences of a process that died are removed by another',
    file: 'server/src/platform/realtime/realtime.service.ts',
    find: '    await presence.sweep(timing.nodeTimeout)\n',
    replace: '',
    tests: ['server/test/realtime/presence.test.ts'],
  },
  {
    name: 'a process does not deliver its own broadcast a second time',
    file: 'server/src/platform/realtime/relay.ts',
    find: '    if (note.node === node) return\n',
    replace: '',
    tests: ['server/test/realtime/broadcast.test.ts'],
  },
  {
    name: 'screens are told to read again after the LISTEN connection was restored',
    file: 'server/src/platform/realtime/realtime.service.ts',
    find: '      onMissed()\n',
    replace: '',
    tests: ['server/test/realtime/orders.test.ts'],
  },
  {
    name: 'the admin key is refused when a browser broadcasts with it',
    file: 'server/src/platform/realtime/broadcast.routes.ts',
    find: "      if (isFromBrowser(request)) throw new HttpError(403, 'The key is for servers')\n",
    replace: '',
    tests: ['server/test/realtime/http.test.ts'],
  },
]
