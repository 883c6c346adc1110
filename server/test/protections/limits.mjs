// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'X-Forwarded-For is ignored when no proxy is configured',
    file: 'server/src/app.ts',
    find: "trustProxy: typeof hops === 'number' ? (_address, hop) => hop < hops : hops,",
    replace: 'trustProxy: true,',
    tests: ['server/test/pitfalls/links.test.ts'],
  },
  {
    name: 'TRUST_PROXY as a number trusts no more hops than that',
    file: 'server/src/app.ts',
    find: '(_address, hop) => hop < hops',
    replace: '() => true',
    tests: ['server/test/http.test.ts'],
  },
  {
    name: 'an account limit that strangers exhaust does not lock a known address out',
    file: 'server/src/platform/auth/sign-in.service.ts',
    find: 'if (!(await audit.exists(event, since))) tooManyRequests(why)',
    replace: 'if (event && since) tooManyRequests(why)',
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
    find: '    await limits.take(guess).catch(tooManyRequests)\n',
    replace: '',
    tests: ['server/test/pitfalls/robustness.test.ts'],
  },
  {
    name: 'the queue of password hashes is bounded',
    file: 'server/src/platform/auth/passwords.ts',
    find: '  maxWaiting: 200,\n',
    replace: '',
    tests: ['server/test/pitfalls/robustness.test.ts'],
  },
  {
    name: 'a full queue refuses further tasks',
    file: 'server/src/platform/bounded-queue.ts',
    find: '    if (mustWait && queue.sizeBy({ priority }) >= maxWaiting) throw refusal()\n',
    replace: '',
    tests: ['server/src/platform/bounded-queue.test.ts'],
  },
  {
    name: 'a file upload that trickles in is cut off',
    file: 'server/src/http/body-timeout.ts',
    find: '        if (raw.socket.bytesRead - before < window.minBytes) return end()\n',
    replace: '',
    tests: ['server/src/http/body-timeout.test.ts'],
  },
  {
    name: 'concurrent uploads cannot exceed the storage quota of a folder',
    file: 'server/src/platform/storage/objects.store.ts',
    find: '        await lockFolder(tx, name)\n',
    replace: '',
    tests: ['server/src/platform/storage/quota.test.ts'],
  },
  {
    name: 'a socket that does not read is terminated',
    file: 'server/src/platform/realtime/connections.ts',
    find: 'if (socket.bufferedAmount > limits.sendBufferBytes) {',
    replace: 'if (socket.bufferedAmount === Number.POSITIVE_INFINITY) {',
    tests: ['server/test/realtime/limits.test.ts'],
  },
  {
    name: 'a socket that sends large frames too often is closed',
    file: 'server/src/platform/realtime/realtime.service.ts',
    find: 'connection.messageBucket.take(messageCost(data.length))',
    replace: 'connection.messageBucket.take()',
    tests: ['server/test/realtime/limits.test.ts'],
  },
  {
    name: 'rows of a pharmacy end at their limit',
    file: 'server/src/database/row-limit.ts',
    find: 'if (Number(count) < max) return',
    replace: 'if (Number(count) >= 0) return',
    tests: ['server/src/features/api-keys/api-keys.test.ts'],
  },
]
