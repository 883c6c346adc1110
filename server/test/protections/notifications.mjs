// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a push message is encrypted for its device',
    file: 'server/src/features/notifications/push-sender.ts',
    find: 'body: cipherText,',
    replace: 'body: Buffer.from(JSON.stringify(message)),',
    tests: ['server/src/features/notifications/notifications.test.ts'],
  },
  {
    name: 'a device is told of the same arrivals once',
    file: 'server/src/features/notifications/push-devices.store.ts',
    find: "\n        .whereRef('due.told', '<', 'due.times')",
    replace: '',
    tests: ['server/src/features/notifications/notifying.test.ts'],
  },
  {
    name: 'a device of an account with a second factor is told only in a session that showed it',
    file: 'server/src/features/notifications/push-devices.store.ts',
    find: "session.aal = 'aal2' or not exists (",
    replace: 'true or not exists (',
    tests: ['server/src/features/notifications/notifying.test.ts'],
  },
  {
    name: 'the log of a failed push does not hold the secret address of the device',
    file: 'server/src/features/notifications/push-sender.ts',
    find: 'const service = { pushService: new URL(device.endpoint).origin }',
    replace: 'const service = { pushService: device.endpoint }',
    tests: ['server/src/features/notifications/push-sender.test.ts'],
  },
  {
    name: 'a job that is added while a worker takes the pending one is not lost',
    file: 'server/src/platform/jobs.ts',
    find: 'missing = missing.filter(({ key }) => keys.has(key))',
    replace: 'missing = []',
    tests: ['server/src/platform/jobs.test.ts'],
  },
]
