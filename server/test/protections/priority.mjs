// @ts-check

const VISITS = 'server/src/features/priority/priority-visits.store.ts'
const LINKS = 'server/src/features/priority/priority-links.store.ts'
const TESTS = ['server/src/features/priority/priority.test.ts']
const UNDO_TESTS = ['server/src/features/priority/priority-undo.test.ts']
const LINK_TESTS = ['server/src/features/priority/priority-links.test.ts']

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'of two desks that call the same customer one succeeds',
    file: VISITS,
    find: `
          .where('status', '=', from)
          .where('status_version', '=', version)
          .where(({ not }) => not(isExpired))`,
    replace: `
          .where(({ not }) => not(isExpired))`,
    tests: TESTS,
  },
  {
    name: 'a change of one desk does not undo a later change of another',
    file: VISITS,
    find: `
          .where('status', '=', from)
          .where('status_version', '=', version)`,
    replace: `
          .where('status', '=', from)`,
    tests: UNDO_TESTS,
  },
  {
    name: 'what a later change has replaced is not taken back',
    file: VISITS,
    find: `
          .where('status_version', '=', version)
          .where('changed_from', '=', 'person')`,
    replace: `
          .where('changed_from', '=', 'person')`,
    tests: UNDO_TESTS,
  },
  {
    name: 'what the customer did is not taken back by the staff',
    file: VISITS,
    find: `
          .where('changed_from', '=', 'person')`,
    replace: '',
    tests: UNDO_TESTS,
  },
  {
    name: 'a change is taken back by its own pharmacy only',
    file: VISITS,
    find: `
          .where('id', '=', visitId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('status_version', '=', version)`,
    replace: `
          .where('id', '=', visitId)
          .where('status_version', '=', version)`,
    tests: [...TESTS, 'server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'a support visit sees no name of a customer who was not there',
    file: 'contract/src/visit-responses.ts',
    find: '      sentBack: z.array(MaskedPriorityVisit),\n',
    replace: '',
    tests: ['server/src/features/support/support-visits.test.ts'],
  },
  {
    name: 'an expired visit cannot be changed before the daily job ends it',
    file: VISITS,
    find: `
          .where(({ not }) => not(isExpired))`,
    replace: '',
    tests: TESTS,
  },
  {
    name: 'a visit is changed by its own pharmacy only',
    file: VISITS,
    find: `
          .where('id', '=', visitId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('status', '=', from)`,
    replace: `
          .where('id', '=', visitId)
          .where('status', '=', from)`,
    tests: TESTS,
  },
  {
    name: 'the board has the visits of one pharmacy only',
    file: VISITS,
    find: `
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)`,
    replace: `
        .select(columns)`,
    tests: [...TESTS, 'server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'an arrival is acknowledged by its own pharmacy only',
    file: VISITS,
    find: `
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', 'in', ({ selectFrom }) =>
          // In one order, so that concurrent screens do not deadlock.
          selectFrom('priority_access_sessions')
            .select('id')
            .where('pharmacy_id', '=', pharmacyId)`,
    replace: `
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('priority_access_sessions')
            .select('id')`,
    tests: TESTS,
  },
  {
    name: 'links are issued only with the feature, also with an API key',
    file: 'server/src/features/priority/priority.service.ts',
    find: "if (!hasFeature(pharmacy, 'priority_access')) throw new AppError('access.denied')",
    replace: '',
    tests: LINK_TESTS,
  },
  {
    name: 'a link is issued for an order of the pharmacy only',
    file: LINKS,
    find: `
          .where('pharmacy_id', '=', pharmacyId)
          .where(
            sql`,
    replace: `
          .where(
            sql`,
    tests: LINK_TESTS,
  },
  {
    name: 'a cancelled order gets no link',
    file: LINKS,
    find: `
          .where('status', '<>', 'Annullato')`,
    replace: '',
    tests: LINK_TESTS,
  },
  {
    name: 'the token of a link is stored as a hash',
    file: 'server/src/features/priority/priority-token.ts',
    find: "return createHash('sha256').update(token).digest()",
    replace: 'return Buffer.from(token)',
    tests: LINK_TESTS,
  },
  {
    name: 'the removal of a display ends its link',
    file: 'server/src/features/priority/priority-displays.store.ts',
    find: "          .deleteFrom('priority_displays')",
    replace: "          .updateTable('priority_displays').set({ last_seen_at: null })",
    tests: TESTS,
  },
  {
    name: 'names and telephone numbers of customers are forgotten',
    file: 'server/src/features/priority/priority-life.store.ts',
    find: 'set user_name = null, user_phone = null, place = null, previous = null',
    replace: 'set place = null, previous = null',
    tests: LINK_TESTS,
  },
  {
    name: 'a push message counts the waiting customers of its own pharmacy only',
    file: 'server/src/features/notifications/push-devices.store.ts',
    find: `
  where visit.pharmacy_id = device.pharmacy_id and visit.ended_at is null`,
    replace: `
  where visit.ended_at is null`,
    tests: ['server/src/features/notifications/notifying.test.ts'],
  },
  {
    name: 'a customer finds a visit by the number that its order got after the link',
    file: 'server/src/database/migrations/0035_pharmacy_columns.sql',
    find: 'set airtable_order_id = new.airtable_order_id, order_number = new.order_number',
    replace: 'set airtable_order_id = new.airtable_order_id',
    tests: LINK_TESTS,
  },
  {
    name: 'the visit of an order that was cancelled by mistake comes back',
    file: 'server/src/database/migrations/0035_pharmacy_columns.sql',
    find: "if tg_op = 'UPDATE' and old.status = 'Annullato' and new.status <> 'Annullato' then",
    replace: "if tg_op = 'UPDATE' and old.status = '' then",
    tests: LINK_TESTS,
  },
  {
    name: 'of two orders that turn out to be one the visit is kept',
    file: 'server/src/database/migrations/0021_priority_arrivals.sql',
    find: `
    and not exists (
      select from pharmacy_orders
      where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id
    )`,
    replace: '',
    tests: ['server/src/features/orders/creation/order-creation-outcomes.test.ts'],
  },
  {
    name: 'unlocking a visit does not remove a link that was sent',
    file: LINKS,
    find: `
    .where('visit_id', '=', visitId)
    .where('is_unlocked', '=', is_unlocked)
    .where('token_hash', 'not in'`,
    replace: `
    .where('visit_id', '=', visitId)
    .where('token_hash', 'not in'`,
    tests: ['server/src/features/priority/customer/customer.test.ts'],
  },
  {
    name: 'the report counts customers who were not there and never came back',
    file: 'server/src/features/priority/priority-report.store.ts',
    find: 'where pharmacy_id = ${pharmacyId} and arrived_at is null and times_not_present > 0',
    replace: 'where pharmacy_id = ${pharmacyId} and arrived_at is null and times_not_present > 99',
    tests: TESTS,
  },
]
