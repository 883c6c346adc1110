// @ts-check

const tests = ['server/src/features/whatsapp/whatsapp.test.ts']
const webhook = ['server/src/features/whatsapp/webhook/webhook.test.ts']

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a webhook is stored only with the signature of Meta over its bytes',
    file: 'server/src/features/whatsapp/webhook/webhook.routes.ts',
    find: `
        if (!isSigned(appSecret, body, request.headers['x-hub-signature-256']))
          throw new AppError('whatsapp.bad_signature')`,
    replace: '',
    tests: webhook,
  },
  {
    name: 'the address for events is verified by its token',
    file: 'server/src/features/whatsapp/webhook/webhook.routes.ts',
    find: `!data || !isSameSecret(data['hub.verify_token'], verifyToken)`,
    replace: `!data`,
    tests: webhook,
  },
  {
    name: 'a request of data deletion needs the signature of Meta',
    file: 'server/src/features/whatsapp/webhook/signatures.ts',
    find: `given.length !== expected.length || !timingSafeEqual(given, expected)`,
    replace: `given.length !== expected.length`,
    tests: ['server/src/features/whatsapp/callbacks.test.ts'],
  },
  {
    name: 'a webhook that is sent again is not processed again',
    file: 'server/src/features/whatsapp/webhook/inbox.store.ts',
    find: `conflict.column('body_hash').doNothing()`,
    replace: `conflict.column('body_hash').doUpdateSet({ body: sql<Buffer>\`excluded.body\` })`,
    tests: webhook,
  },
  {
    name: 'a webhook is answered once its job is committed',
    file: 'server/src/features/whatsapp/webhook/inbox.store.ts',
    find: `
        if (added.length > 0) await enqueueInbox(tx)`,
    replace: '',
    tests: webhook,
  },
  {
    name: 'what people wrote is removed once it was processed',
    file: 'server/src/features/whatsapp/webhook/inbox.store.ts',
    find: `
            .set({ body: null })`,
    replace: `
            .set({ failures: 0 })`,
    tests: webhook,
  },
  {
    name: 'an event that the database refuses does not stop the others of its webhook',
    file: 'server/src/features/whatsapp/webhook/event-processing.ts',
    find: 'if (!isRefused && !isLastTry) throw error',
    replace: 'throw error',
    tests: webhook,
  },
  {
    name: 'events do not reach a pharmacy that does not use WhatsApp',
    file: 'server/src/features/whatsapp/webhook/event-processing.ts',
    find: `
    if (!owner.isUsed) return`,
    replace: '',
    tests: webhook,
  },
  {
    name: 'a number that a new owner has is taken from the old one',
    file: 'server/src/features/whatsapp/contacts.store.ts',
    find: `
        .set({ phone: null })`,
    replace: `
        .set({ phone: '+390000000000' })`,
    tests: webhook,
  },
  {
    name: 'a number is connected by one pharmacy',
    file: 'server/src/features/whatsapp/connections.store.ts',
    find: `
  if (error instanceof pg.DatabaseError && error.constraint === ONE_OF_NUMBER)
    throw new AppError('whatsapp.number_taken', { cause: error })`,
    replace: '',
    tests,
  },
  {
    name: 'a number is not exchanged for another by connecting again',
    file: 'server/src/features/whatsapp/connections.store.ts',
    find: `
            throw new AppError('whatsapp.other_number')`,
    replace: `
            tx`,
    tests,
  },
  {
    name: 'the PIN of a number is stored before Meta learns it',
    file: 'server/src/features/whatsapp/whatsapp-check.ts',
    find: `
      await connections.setPin(pharmacyId, revision, sealing.seal(pharmacyId, 'pin', pin))`,
    replace: '',
    tests,
  },
  {
    name: 'a number of the Business app is not registered',
    file: 'server/src/features/whatsapp/whatsapp.rules.ts',
    find: `
  if (health.isOnBusinessApp) return false`,
    replace: '',
    tests: ['server/src/features/whatsapp/whatsapp.rules.test.ts'],
  },
  {
    name: 'a check does not bring back a connection that ended meanwhile',
    file: 'server/src/features/whatsapp/connection-checks.store.ts',
    find: `
          .where('revision', '=', revision)
          .where('token', 'is not', null)`,
    replace: '',
    tests,
  },
  {
    name: 'a token with too few permissions is not stored',
    file: 'server/src/features/whatsapp/whatsapp.service.ts',
    find: `
    if (!hasPermissions(facts)) throw new AppError('whatsapp.permissions_missing')`,
    replace: '',
    tests,
  },
  {
    name: 'the texts of Meta, which may quote a token, stay out of errors',
    file: 'server/src/adapters/meta/graph-error.ts',
    find: `\`Meta answered \${status} with code \${code}\``,
    replace: `message`,
    tests: ['server/src/adapters/meta/meta-business.test.ts'],
  },
  {
    name: 'only the page of the connection may load the script of Meta',
    file: 'server/src/http/pages.ts',
    find: `headersOf[path] ?? {}`,
    replace: `headersOf['/meta'] ?? {}`,
    tests: ['server/src/http/pages.test.ts'],
  },
]
