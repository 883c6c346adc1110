// @ts-check

const folder = 'server/src/features/whatsapp/messages'
const rules = [`${folder}/messages.rules.test.ts`]
const sending = [`${folder}/messages.test.ts`]
const conversation = [`${folder}/conversation.test.ts`]
const isolation = ['server/test/other-pharmacy.test.ts']

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'only an owner switches messages on',
    file: 'contract/src/whatsapp-messages.ts',
    find: `
  summary: 'Accept what WhatsApp messages mean, and switch them on',
  ...guard,
  role: 'owner',`,
    replace: `
  summary: 'Accept what WhatsApp messages mean, and switch them on',
  ...guard,`,
    tests: sending,
  },
  {
    name: 'nothing is sent until the present terms are accepted',
    file: `${folder}/sending.store.ts`,
    find: ` and settings.terms_version = \${whatsAppTerms.version}`,
    replace: '',
    tests: sending,
  },
  {
    name: 'a notice needs the consent of the customer',
    file: `${folder}/messages.rules.ts`,
    find: `
    if (!contact.hasConsent) return fail('no_consent')`,
    replace: '',
    tests: rules,
  },
  {
    name: 'an order that may hold medicines is not announced by itself',
    file: `${folder}/messages.rules.ts`,
    find: `if (isAutomatic && kind === 'ready' && order.products)`,
    replace: `if (isAutomatic && kind === 'ready' && order.products && !order.hasNumber)`,
    tests: rules,
  },
  {
    name: 'a name of the register is a medicine, whatever the offer says',
    file: `${folder}/order-products.rules.ts`,
    find: ` || isInRegister) return 'medicine'`,
    replace: `) return 'medicine'`,
    tests: rules,
  },
  {
    name: 'notices wait for the morning',
    file: `${folder}/messages.rules.ts`,
    find: `
  if (hour > now && !facts.ignoresHours) return wait('hours', hour)`,
    replace: '',
    tests: rules,
  },
  {
    name: 'notices stop at quality red',
    file: `${folder}/messages.rules.ts`,
    find: `connection.quality === 'RED'`,
    replace: `connection.quality === 'BLACK'`,
    tests: rules,
  },
  {
    name: 'the limit of a day holds',
    file: `${folder}/messages.rules.ts`,
    find: `
  if (facts.sentToday >= facts.dailyLimit) return wait('budget', nextDay(now))`,
    replace: '',
    tests: rules,
  },
  {
    name: 'a template that Meta made marketing is not used',
    file: `${folder}/messages.rules.ts`,
    find: ` && template.category === 'UTILITY'`,
    replace: '',
    tests: rules,
  },
  {
    name: 'a message is sent by one process',
    file: `${folder}/outbox-sending.store.ts`,
    find: `
          .where('id', '=', messageId)
          .where('state', '=', 'queued')
          .returning('id')
          .executeTakeFirst()
        return claimed`,
    replace: `
          .where('id', '=', messageId)
          .returning('id')
          .executeTakeFirst()
        return claimed`,
    tests: sending,
  },
  {
    name: 'a message without a response is not sent again',
    file: `${folder}/message-sending.ts`,
    find: `if (error.isUnsure) await outbox.unsure(pharmacyId, id)
      else await`,
    replace: 'await',
    tests: sending,
  },
  {
    name: 'a change of the status takes back the notice that waits',
    file: 'server/src/database/migrations/0040_keys_of_messages.sql',
    find: `
    and (is_automatic or new.status = 'Annullato');
  perform`,
    replace: `
    and is_automatic and kind = 'none';
  perform`,
    tests: sending,
  },
  {
    name: 'a reply does not name what was ordered',
    file: `${folder}/order-messages.service.ts`,
    find: `namesMedicine || namesProduct(text, order.details, own)`,
    replace: 'namesMedicine',
    tests: sending,
  },
  {
    name: 'a reply does not name a medicine of the register',
    file: `${folder}/order-messages.service.ts`,
    find: `namesMedicine || namesProduct(text, order.details, own)`,
    replace: 'namesProduct(text, order.details, own)',
    tests: sending,
  },
  {
    name: 'what customers write is encrypted',
    file: `${folder}/inbound-messages.ts`,
    find: `sealing.seal(pharmacyId, 'text', text)`,
    replace: `Buffer.from(text)`,
    tests: conversation,
  },
  {
    name: 'only messages of customers are kept',
    file: `${folder}/inbound-messages.ts`,
    find: `
    if (!kept.isOrder && !(await isCustomer(tx, pharmacyId, contactId))) return`,
    replace: '',
    tests: conversation,
  },
  {
    name: 'what the pharmacy writes in the Business app is no message of the customer',
    file: `${folder}/inbound-messages.ts`,
    find: `{ ...NO_ORDER, isEcho: true }`,
    replace: `{ ...NO_ORDER, isEcho: false }`,
    tests: conversation,
  },
  {
    name: 'an order without its code is not lost',
    file: `${folder}/inbound-messages.ts`,
    find: ` || hasOrderWords(text)`,
    replace: '',
    tests: conversation,
  },
  {
    name: 'a STOP wins in the second of a consent',
    file: `${folder}/consents.store.ts`,
    find: `
      .orderBy('is_given')`,
    replace: '',
    tests: conversation,
  },
  {
    name: 'a consent ends also while messages are off',
    file: `${folder}/inbound-messages.ts`,
    find: `(!isOn && wish !== 'stop')`,
    replace: '!isOn',
    tests: conversation,
  },
  {
    name: 'a message that comes again neither ends a new consent nor is answered again',
    file: `${folder}/consents.store.ts`,
    find: `if ((await latest(tx, pharmacyId, contactId)) === isGiven) return undefined`,
    replace: '',
    tests: conversation,
  },
  {
    name: 'a notice is taken back by its own pharmacy only',
    file: `${folder}/outbox.store.ts`,
    find: `
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('kind', 'in', ['ready', 'link', 'call'])`,
    replace: `
        .where('kind', 'in', ['ready', 'link', 'call'])`,
    tests: isolation,
  },
  {
    name: 'a draft is dismissed by its own pharmacy only',
    file: `${folder}/inbound.store.ts`,
    find: `
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', draftId)
        .where('draft', 'in', ['open', 'dismissed'])`,
    replace: `
        .where('id', '=', draftId)
        .where('draft', 'in', ['open', 'dismissed'])`,
    tests: isolation,
  },
  {
    name: 'a message that was read, or answered on the phone, is not announced again',
    file: 'server/src/features/whatsapp/messages/order-messages.store.ts',
    find: "\n          and written.at > coalesce(greatest(contact.read_at, written.answered), '-infinity')",
    replace: '',
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
    only: 'a message that was not read',
  },
]
