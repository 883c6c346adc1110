import {
  type MessageReason,
  type MessageState,
  NoticeKind,
} from '@bancone/contract/whatsapp-messages'
import type { ChatMessage, CustomerNotice, UnreadCustomer } from '@bancone/contract/whatsapp-orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { Customer } from '../../../platform/customers.ts'
import { phoneNumbers } from '../../../platform/phone-numbers.ts'
import { deleteContact, lockContacts } from '../contacts.store.ts'
import { deleteDeliveriesOf } from '../deliveries.store.ts'
import type { Sealing } from '../whatsapp.context.ts'

/** The most messages of a conversation that are shown, the newest. */
const MAX_SHOWN = 200

/** The most customers with unread messages that are listed. */
const MAX_UNREAD = 50

/** Days for which a message that was not read is of interest. */
const UNREAD_DAYS = 30

/** From `accepted` on, what Meta has reported counts. */
const state = sql<MessageState>`case
  when message.state = 'accepted' then coalesce(delivery.status, 'accepted') else message.state end`

const reachedAt = sql<string>`coalesce(
  case when message.state = 'accepted' then
    case delivery.status
      when 'read' then delivery.read_at when 'delivered' then delivery.delivered_at
      when 'failed' then delivery.failed_at else delivery.sent_at end
  end,
  message.accepted_at, message.created_at)`

/** What was sent about an order, and what its customer and the pharmacy have written. Reads only. */
export function createOrderMessagesStore(db: Database) {
  const messagesWithDelivery = () =>
    db
      .selectFrom('whatsapp_outbox as message')
      .leftJoin('whatsapp_deliveries as delivery', (join) =>
        join
          .onRef('delivery.pharmacy_id', '=', 'message.pharmacy_id')
          .onRef('delivery.message_id', '=', 'message.message_id'),
      )

  return {
    /** The newest notice of each kind. */
    async notices(pharmacyId: string, orderId: string): Promise<CustomerNotice[]> {
      const rows = await messagesWithDelivery()
        .distinctOn('message.kind')
        .select([
          'message.id',
          'message.kind',
          state.as('state'),
          sql<MessageReason | null>`message.reason`.as('reason'),
          'message.is_automatic as isAutomatic',
          'message.due_at as dueAt',
          reachedAt.as('at'),
        ])
        .where('message.pharmacy_id', '=', pharmacyId)
        .where('message.order_id', '=', orderId)
        .where('message.kind', 'in', NoticeKind.options)
        .orderBy('message.kind')
        .orderBy('message.created_at', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, kind: NoticeKind.parse(row.kind) }))
    },

    /**
     * Customers with an order whose last message is newer than what the staff have read, and than the staff's last message
     * in the Business app. Times are compared by the millisecond, as they are shown. Drafts of orders do not count: they are
     * listed apart; nor does what says nothing by itself, such as a reaction. Newest first.
     */
    async unread(pharmacyId: string): Promise<UnreadCustomer[]> {
      const { rows } = await sql<UnreadCustomer>`
        select latest.record_id as "recordId", latest.number, coalesce(latest.name, contact.name) as name, written.at
        from whatsapp_contacts as contact
        cross join lateral (
          select max(date_trunc('milliseconds', at)) filter (
              where not is_echo and draft is distinct from 'open' and type not in ('reaction', 'system', 'revoke')
            ) as at,
            max(at) filter (where is_echo) as answered
          from whatsapp_inbound where pharmacy_id = contact.pharmacy_id and contact_id = contact.id
        ) as written
        cross join lateral (
          select record.airtable_order_id as record_id, record.order_number as number, record.customer_name as name
          from pharmacy_orders as record
          where record.pharmacy_id = contact.pharmacy_id and record.id in (
            select order_id from whatsapp_order_contacts
            where pharmacy_id = contact.pharmacy_id and contact_id = contact.id
            union all
            select order_id from order_search
            where pharmacy_id = contact.pharmacy_id and phone_key = order_phone_key(contact.phone)
          )
          order by record.airtable_created desc limit 1
        ) as latest
        where contact.pharmacy_id = ${pharmacyId}
          and contact.last_inbound_at > now() - make_interval(days => ${UNREAD_DAYS})
          and written.at > coalesce(greatest(contact.read_at, written.answered), '-infinity')
        order by written.at desc
        limit ${MAX_UNREAD}`.execute(db)
      return rows
    },

    /** Oldest first. */
    async chat(pharmacyId: string, contactId: string) {
      const written = db
        .selectFrom('whatsapp_inbound as written')
        .leftJoin('offer_order_codes as known', (join) =>
          join
            .onRef('known.pharmacy_id', '=', 'written.pharmacy_id')
            .onRef('known.code', '=', 'written.code'),
        )
        .select([
          'written.id',
          sql<ChatMessage['from']>`case when is_echo then 'pharmacy' else 'customer' end`.as(
            'from',
          ),
          'written.at',
          'written.received_at as receivedAt',
          'written.text',
          'written.key_id as keyId',
          'written.type',
          sql<string | null>`written.message_id`.as('metaId'),
          'written.about_message_id as about',
          sql<ChatMessage['order']>`case
            when written.is_echo or written.text is null or written.draft = 'dismissed'
              or written.type in ('reaction', 'system', 'revoke') then null
            when written.draft = 'confirmed' or known.order_id is not null then 'made'
            else 'possible' end`.as('order'),
          sql<MessageState | null>`null`.as('state'),
          sql<MessageReason | null>`null`.as('reason'),
        ])
        .where('written.pharmacy_id', '=', pharmacyId)
        .where('written.contact_id', '=', contactId)
      const sent = messagesWithDelivery()
        .select([
          'message.id',
          sql<ChatMessage['from']>`'pharmacy'`.as('from'),
          'message.created_at as at',
          'message.created_at as receivedAt',
          'message.text',
          'message.key_id as keyId',
          sql<string>`'text'`.as('type'),
          'message.message_id as metaId',
          sql<string | null>`null::text`.as('about'),
          sql<ChatMessage['order']>`null`.as('order'),
          sql<MessageState | null>`${state}`.as('state'),
          sql<MessageReason | null>`message.reason`.as('reason'),
        ])
        .where('message.pharmacy_id', '=', pharmacyId)
        .where('message.contact_id', '=', contactId)
        .where('message.kind', 'in', ['reply', 'answer'])
      const rows = await db
        .selectFrom(written.unionAll(sent).as('chat'))
        .select([
          'id',
          'from',
          'at',
          'text',
          'keyId',
          'type',
          'metaId',
          'about',
          'order',
          'state',
          'reason',
        ])
        // Meta tells seconds only, and an answer may have been written in the second of the message.
        .orderBy(sql`date_trunc('second', at)`, 'desc')
        .orderBy(sql`"from" = 'pharmacy'`, 'desc')
        .orderBy('receivedAt', 'desc')
        .limit(MAX_SHOWN)
        .execute()
      return rows.toReversed()
    },
  }
}

export type CustomerMessagesStore = ReturnType<typeof createCustomerMessagesStore>

/** The contact that a customer is at WhatsApp, with messages, consents and links to orders. */
export function createCustomerMessagesStore(db: Database, sealing: Pick<Sealing, 'open'>) {
  const find = (tx: Database, pharmacyId: string, { phone }: Customer) =>
    tx
      .selectFrom('whatsapp_contacts')
      .select(['id', 'name', 'first_seen_at as firstSeenAt', 'last_inbound_at as lastInboundAt'])
      .where('pharmacy_id', '=', pharmacyId)
      .where('phone', '=', phone)
      .executeTakeFirst()

  async function messagesOf(tx: Database, pharmacyId: string, contactId: string) {
    const { rows } = await sql<{
      at: string
      isFromCustomer: boolean
      text: Buffer | null
      keyId: string | null
      metaIds: (string | null)[]
    }>`
      select at, not is_echo as "isFromCustomer", text, key_id as "keyId", array[message_id] as "metaIds"
      from whatsapp_inbound
      where pharmacy_id = ${pharmacyId} and contact_id = ${contactId}
      union all
      select created_at, false, text, key_id, earlier_message_ids || message_id from whatsapp_outbox
      where pharmacy_id = ${pharmacyId} and contact_id = ${contactId}
      order by at`.execute(tx)
    return rows
  }

  return {
    /** Messages come and go with the contacts locked. */
    lock: lockContacts,

    async count(tx: Database, pharmacyId: string, customer: Customer) {
      const contact = await find(tx, pharmacyId, customer)
      const messages = contact ? await messagesOf(tx, pharmacyId, contact.id) : []
      return { isContact: contact !== undefined, messages: messages.length }
    },

    /** Oldest first. */
    async copy(pharmacyId: string, customer: Customer) {
      const contact = await find(db, pharmacyId, customer)
      if (!contact) return { contact: null, consents: [], messages: [] }
      const { id, ...shown } = contact
      const consents = await db
        .selectFrom('whatsapp_consents')
        .select(['at', 'is_given as isGiven', 'wording'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('contact_id', '=', id)
        .orderBy('at')
        .orderBy('id')
        .execute()
      const messages = await messagesOf(db, pharmacyId, id)
      return {
        contact: shown,
        consents,
        messages: messages.map(({ at, isFromCustomer, keyId, text }) => ({
          at,
          isFromCustomer,
          text: sealing.open(pharmacyId, 'text', text, keyId) ?? null,
        })),
      }
    },

    /** @returns the ids of the orders that are linked with the customer's contact */
    async orderIds(tx: Database, pharmacyId: string, customer: Customer): Promise<string[]> {
      const rows = await tx
        .selectFrom('whatsapp_contacts as contact')
        .innerJoin('whatsapp_order_contacts as link', (join) =>
          join
            .onRef('link.pharmacy_id', '=', 'contact.pharmacy_id')
            .onRef('link.contact_id', '=', 'contact.id'),
        )
        .select('link.order_id')
        .where('contact.pharmacy_id', '=', pharmacyId)
        .where('contact.phone', '=', customer.phone)
        .execute()
      return rows.map((row) => row.order_id)
    },

    /**
     * Deletes the contact with everything of it.
     *
     * @param tx a transaction that has called `lock`
     * @param before only a contact that was first seen earlier (ISO 8601); undefined: in any case
     */
    async erase(tx: Database, pharmacyId: string, customer: Customer, before: string | undefined) {
      const contact = await find(tx, pharmacyId, customer)
      if (!contact || (before !== undefined && contact.firstSeenAt >= before)) {
        return { isContact: false, messages: 0 }
      }
      const messages = await messagesOf(tx, pharmacyId, contact.id)
      await deleteContact(tx, pharmacyId, contact.id)
      await deleteDeliveriesOf(
        tx,
        pharmacyId,
        messages.flatMap(({ metaIds }) => metaIds),
      )
      return { isContact: true, messages: messages.length }
    },

    /** The telephone numbers of a pharmacy's contacts. */
    async numbers(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('whatsapp_contacts')
        .select('phone')
        .where('pharmacy_id', '=', pharmacyId)
        .where('phone', 'is not', null)
        .execute()
      return rows.flatMap((row) => row.phone ?? [])
    },
  }
}

/**
 * Those of these orders about which a message was written or waits, or whose customer has written, in the last days.
 *
 * @returns ids of orders
 */
export async function ordersInConversation(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
  days: number,
): Promise<string[]> {
  const since = sql`now() - make_interval(days => ${days}::integer)`
  const { rows } = await sql<{ order_id: string }>`
    select order_id from whatsapp_outbox
    where pharmacy_id = ${pharmacyId} and order_id = any(${orderIds}::bigint[])
      and (created_at >= ${since} or state in ('queued', 'sending', 'unsure'))
    union
    select link.order_id from whatsapp_order_contacts as link
    join whatsapp_contacts as contact
      on contact.pharmacy_id = link.pharmacy_id and contact.id = link.contact_id
    where link.pharmacy_id = ${pharmacyId} and link.order_id = any(${orderIds}::bigint[])
      and contact.last_inbound_at >= ${since}
    union
    select search.order_id from whatsapp_contacts as contact
    join order_search as search on search.pharmacy_id = contact.pharmacy_id
      and search.phone_key = order_phone_key(contact.phone)
    where contact.pharmacy_id = ${pharmacyId} and contact.last_inbound_at >= ${since}
      and search.order_id = any(${orderIds}::bigint[])`.execute(tx)
  const severalNumbers = await ordersWithSeveralNumbers(tx, pharmacyId, orderIds, days)
  return [...rows.map((row) => row.order_id), ...severalNumbers]
}

/** Those whose field has several telephone numbers, of which one is that of a customer who has written. */
async function ordersWithSeveralNumbers(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
  days: number,
): Promise<string[]> {
  const { rows: orders } = await sql<{ id: string; phone: string }>`
    select record.id, record.customer_phone as phone from pharmacy_orders as record
    where record.pharmacy_id = ${pharmacyId} and record.id = any(${orderIds}::bigint[])
      and record.customer_phone is not null and order_phone_key(record.customer_phone) is null`.execute(
    tx,
  )
  if (orders.length === 0) return []
  const numbers = await Promise.all(orders.map(({ phone }) => phoneNumbers(phone)))
  const numbersOf = orders.map(({ id }, n) => {
    const { callNumber, whatsAppNumber } = numbers[n] ?? {}
    return { id, numbers: [callNumber, whatsAppNumber && `+${whatsAppNumber}`] }
  })
  const { rows: contacts } = await sql<{ phone: string }>`
    select phone from whatsapp_contacts
    where pharmacy_id = ${pharmacyId} and last_inbound_at >= now() - make_interval(days => ${days}::integer)
      and phone = any(${numbersOf.flatMap((order) => order.numbers)}::text[])`.execute(tx)
  const written = new Set<unknown>(contacts.map(({ phone }) => phone))
  return numbersOf
    .filter((order) => order.numbers.some((one) => written.has(one)))
    .map(({ id }) => id)
}
