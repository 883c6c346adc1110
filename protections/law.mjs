// @ts-check

/** Legal duties. Without an entry, the product breaks a law on customers' data, medicines or audit trails. */
/** @type {import('../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the running server cannot change or delete audit events',
    file: 'server/src/database/runtime-role.ts',
    find: 'revoke insert, update, delete on audit_events, audit_seals, audit_unsealed from ${role};',
    replace: '',
    tests: ['server/src/database/runtime-role.test.ts'],
  },
  {
    name: 'an offer and its audit event are written in one transaction',
    file: 'server/src/wiring/offers.ts',
    find: 'recordChange: (change) => audit.recordChange(tx, change)',
    replace: 'recordChange: async () => {}',
    tests: ['server/src/features/audit/audit.test.ts'],
  },
  {
    name: 'secrets and personal data are not recorded',
    file: 'server/src/platform/audit.ts',
    find: 'WITHHELD.test(field) ||',
    replace: '',
    tests: ['server/src/platform/audit-changes.test.ts'],
  },
  {
    name: 'the request log contains the route and never the URL with its query',
    file: 'server/src/platform/request-log.ts',
    find: 'route: request.routeOptions.url,',
    replace: 'route: request.url,',
    tests: ['server/test/log.test.ts'],
  },
  {
    name: 'the orders of another number with the same digits are not those of a customer',
    file: 'server/src/platform/customers.ts',
    find: 'numbers[n]?.includes(phone)',
    replace: 'numbers[n]?.length',
    tests: ['server/test/customer-data.test.ts'],
  },
  {
    name: 'an erasure leaves orders that are in Airtable',
    file: 'server/src/features/orders/customers/customer-orders.store.ts',
    find: 'here: found.filter((row) => row.isHere)',
    replace: 'here: found',
    tests: ['server/test/customer-data.test.ts'],
  },
  {
    name: 'a customer whose data were erased after the back-up is erased after its restore',
    file: 'server/src/features/backups/backups.wiring.ts',
    find: 'await dependencies.eraseCustomers(pharmacyId, ofPharmacy)',
    replace: '{ customers: 0, doSomeStay: false }',
    tests: ['server/test/backups-of-a-server.test.ts'],
  },
  {
    name: 'nothing is erased of a customer who has an order that is held',
    file: 'server/src/features/customer-data/customer-data.service.ts',
    find: 'if (held.length > 0) throw',
    replace: 'if (held.length < 0) throw',
    tests: ['server/test/customer-data.test.ts'],
  },
  {
    name: 'a consent that waits for an erasure does not bring the number back',
    file: 'server/src/features/whatsapp/messages/order-messages.service.ts',
    find: 'if (!contact && !(await customers.hasPhone(tx, pharmacyId, order)))',
    replace: `if (!contact && order.id === '')`,
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
  },
  {
    name: 'a medicine that needs a prescription is refused',
    file: 'contract/src/offer-rules.ts',
    find: `if (!['OTC', 'SOP', null].includes(medicine.supply)) return 'offers.prescription'`,
    replace: '',
    tests: ['server/src/features/medicines/medicines.test.ts'],
  },
  {
    name: 'the code of a medicine makes an offer one in any category',
    file: 'contract/src/offer-rules.ts',
    find: 'return isAic(code) || isMedicine(regulatoryClass)',
    replace: 'return isMedicine(regulatoryClass)',
    tests: ['server/src/features/offers/published-offers.test.ts'],
  },
  {
    name: 'an offer that must not be published is not stored as active',
    file: 'server/src/features/offers/offers.service.ts',
    find: `if (offer.refusal !== null && offer.fields.Stato_Offerta === 'Attiva') refuse(offer.refusal)`,
    replace: '',
    tests: ['server/src/features/offers/offers.test.ts'],
  },
  {
    name: 'the customer of an order who has written lately does not expire',
    file: 'server/src/features/whatsapp/messages/conversations.store.ts',
    find: `      and contact.last_inbound_at >= \${since}
    union`,
    replace: `      and false
    union`,
    tests: ['server/src/features/orders/expiry/order-expiry.test.ts'],
  },
  {
    name: 'an order that expires loses its picture',
    file: 'server/src/features/orders/records/order-anonymization.store.ts',
    find: `  await deleteImagesOf(tx, pharmacyId, ids)
`,
    replace: '',
    tests: ['server/src/features/orders/expiry/order-expiry.test.ts'],
  },
  {
    name: 'the messages about an order that expires are deleted',
    file: 'server/src/wiring/order-consequences.ts',
    find: `    await deleteMessagesOf(tx, pharmacyId, ids)
`,
    replace: '',
    tests: ['server/src/features/orders/expiry/order-expiry.test.ts'],
  },
  {
    name: 'orders do not expire while they are in Airtable, also if the job was added before',
    file: 'server/src/features/orders/expiry/order-expiry.store.ts',
    find: `
    .where(isInDatabaseOnly)
    .where(isOld(days))`,
    replace: `
    .where(isOld(days))`,
    tests: ['server/src/features/orders/expiry/order-expiry.test.ts'],
  },
  {
    name: 'an order that is held does not expire',
    file: 'server/src/features/orders/expiry/order-expiry.store.ts',
    find: 'not ${isHeld()} and (',
    replace: '(',
    tests: ['server/src/features/orders/expiry/order-expiry.test.ts'],
  },
  {
    name: 'of two changes of the time at once the second is refused',
    file: 'server/src/features/orders/expiry/order-retention.store.ts',
    find: 'if (stored !== seen.orderDays)',
    replace: 'if (stored !== seen.orderDays && seen.orderDays !== null)',
    tests: ['server/src/features/orders/expiry/order-retention.test.ts'],
  },
  {
    name: 'a pharmacy is not purged before its thirty days are over',
    file: 'server/src/features/pharmacies/deletion/pharmacy-purge.store.ts',
    find: 'deleted_at <= now() - make_interval(days => ${days})',
    replace: 'deleted_at <= now()',
    tests: ['server/src/features/pharmacies/deletion/pharmacy-deletion.test.ts'],
  },
  {
    name: 'a pharmacy that is being purged is not restored',
    file: 'server/src/features/pharmacies/deletion/pharmacy-deletion.service.ts',
    find: `
        await purges.requireNone(pharmacyId, tx)
        const isRestored`,
    replace: `
        const isRestored`,
    tests: ['server/src/features/pharmacies/deletion/pharmacy-deletion.test.ts'],
  },
  {
    name: 'a purge removes the pictures of orders from the file store',
    file: 'server/src/features/pharmacies/deletion/pharmacy-purge.ts',
    find: 'await dependencies.removeOrderPictures(purge.pharmacyId, signal)',
    replace: '0',
    tests: ['server/src/features/pharmacies/deletion/pharmacy-deletion.test.ts'],
  },
  {
    name: 'an export of a pharmacy contains no hash of a password',
    file: 'server/src/features/pharmacies/deletion/tables.store.ts',
    find: `
      'password_hash',`,
    replace: '',
    tests: ['server/src/features/pharmacies/deletion/pharmacy-deletion.test.ts'],
  },
  {
    name: 'a visitor who opts out is not counted',
    file: 'server/src/features/page-views/page-views.rules.ts',
    find: `headers['dnt'] === '1' || headers['sec-gpc'] === '1' ? 'privacy' : null`,
    replace: 'null',
    tests: ['server/src/features/page-views/page-views.rules.test.ts'],
  },
  {
    name: 'no more of the address of a visitor is hashed than a network',
    file: 'server/src/features/page-views/visitor-salts.ts',
    find: `.slice(0, parsed.kind() === 'ipv4' ? 3 : 6)`,
    replace: '',
    tests: ['server/src/features/page-views/page-views.rules.test.ts'],
  },
  {
    name: 'the salt of a day is removed at half past midnight in Rome',
    file: 'server/src/features/page-views/page-views.wiring.ts',
    find: 'clock.now() - SALT_REMAINS_MS',
    replace: 'clock.now() - 2 * SALT_REMAINS_MS',
    tests: ['server/src/features/page-views/visitor-salts.test.ts'],
  },
  {
    name: 'a notice needs the consent of the customer',
    file: 'server/src/features/whatsapp/messages/messages.rules.ts',
    find: `
  if (contact.hasConsent !== true) return fail(facts, 'no_consent')`,
    replace: '',
    tests: ['server/src/features/whatsapp/messages/messages.rules.test.ts'],
  },
  {
    name: 'an order that may hold medicines is not announced by itself',
    file: 'server/src/features/whatsapp/messages/messages.rules.ts',
    find: `if (isAutomatic && kind !== 'call' && order.products)`,
    replace: `if (isAutomatic && kind !== 'call' && order.products && !order.hasNumber)`,
    tests: ['server/src/features/whatsapp/messages/messages.rules.test.ts'],
  },
  {
    name: 'a reply does not name what was ordered',
    file: 'server/src/features/whatsapp/messages/order-messages.service.ts',
    find: 'namesMedicine || namesProduct(text, order.details, own)',
    replace: 'namesMedicine',
    tests: ['server/src/features/whatsapp/messages/messages.test.ts'],
  },
  {
    name: 'what customers write is encrypted',
    file: 'server/src/features/whatsapp/messages/inbound.service.ts',
    find: `sealing.seal(pharmacyId, 'text', text)`,
    replace: 'Buffer.from(text)',
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
  },
  {
    name: 'a STOP wins in the second of a consent',
    file: 'server/src/features/whatsapp/messages/order-customers.store.ts',
    find: ' consent.is_given,',
    replace: '',
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
  },
  {
    name: 'the running server is no superuser and does not own its tables',
    file: 'server/src/start/server.ts',
    find: 'await runtimeUrl(owner, database.url, roleKey, log)',
    replace: '(await runtimeUrl(owner, database.url, roleKey, log)) && database.url',
    tests: ['server/test/startup.test.ts'],
    only: 'gets its first administrator',
  },
  {
    name: 'metrics name routes by their templates, never by paths',
    file: 'server/src/platform/request-log.ts',
    find: `return request.is404 ? 'none' : (request.routeOptions.url ?? 'none')`,
    replace: `return request.url.split('?')[0] ?? ''`,
    tests: ['server/test/telemetry.test.ts'],
  },
  {
    name: 'values of statements are in no log',
    file: 'server/src/database/prepared-client.ts',
    find: 'const ended = watch(text)',
    replace: 'const ended = watch(`${text} ${String(values)}`)',
    tests: ['server/test/telemetry-program.test.ts'],
  },
  {
    name: 'names and telephone numbers of customers are forgotten',
    file: 'server/src/features/priority/priority-expiry.store.ts',
    find: 'set user_name = null, user_phone = null, place = null, previous = null',
    replace: 'set place = null, previous = null',
    tests: ['server/src/features/priority/priority-links.test.ts'],
  },
  {
    name: 'the texts of Meta, which may quote a token, stay out of errors',
    file: 'server/src/adapters/meta/graph-client.ts',
    find: '`Meta answered ${status} with code ${code}`',
    replace: 'message',
    tests: ['server/src/adapters/meta/meta-business.test.ts'],
  },
  {
    name: 'the words of a search are sent in a body and not in a URL',
    file: 'web/src/features/orders/data/orders-cache.ts',
    find: `return q === undefined
    ? endpointQueryOptions(listOrders, { query })`,
    replace: `return q !== null
    ? endpointQueryOptions(listOrders, { query: { ...query, q } })`,
    tests: ['web/src/app/routes/dashboard-search.test.tsx'],
  },
  {
    name: 'the token of a customer leaves the address',
    file: 'web/src/features/priority-session/token.ts',
    find: `  keepToken(found, location.pathname)
`,
    replace: '',
    tests: ['web/src/features/priority-session/session-page.test.tsx'],
  },
  {
    name: 'links of customers are stored nowhere',
    file: 'web/src/features/priority/links/links-dialog.tsx',
    find: `        if (!isCancelled) setIssued(answer)
`,
    replace: `        if (!isCancelled) setIssued(answer)
        sessionStorage.setItem('links', JSON.stringify(answer))
`,
    tests: ['web/src/features/priority/links/links-dialog.test.tsx'],
  },
  {
    name: 'drafts are removed from the tab when the session ends',
    file: 'web/src/app/providers.tsx',
    find: `        clearDrafts(area)
`,
    replace: '',
    tests: ['web/src/app/routes/dashboard-notes.test.tsx'],
  },
  {
    name: 'the password of a pharmacy is not stored in the browser',
    file: 'web/src/features/admin-pharmacies/form/pharmacy-draft.ts',
    find: `{ ...PharmacyDraft.parse(draft), password: '' }`,
    replace: 'PharmacyDraft.parse(draft)',
    tests: ['web/src/features/admin-pharmacies/form/pharmacy-form.test.tsx'],
    only: 'leaving with changes asks first',
  },
  {
    name: 'codes of prescriptions that are searched for stay out of the address',
    file: 'web/src/features/orders/filter/search-box.tsx',
    find: `isCode ? '' : (SearchText.safeParse(text).data ?? '')`,
    replace: `SearchText.safeParse(text).data ?? ''`,
    tests: ['web/src/app/routes/dashboard-search.test.tsx'],
    only: 'code',
  },
  {
    name: 'the sheet of the day has no codes of prescriptions',
    file: 'web/src/features/orders/day/day-orders.tsx',
    find: 'text && hideCodes(text)',
    replace: 'text',
    tests: ['web/src/features/orders/day/day-summary.test.tsx'],
    only: 'the sheet has no codes',
  },
]
