import type { Day } from '@bancone/contract/dates'
import type { Consent } from '@bancone/contract/whatsapp-orders'
import { sql } from 'kysely'
import { isOverdue } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'
import { phoneNumbers } from '../../../platform/phone-numbers.ts'
import type { ContactsStore } from '../contacts.store.ts'

/** Days for which messages of the customer of an order are of interest. */
const ORDER_DAYS = 90

/** Deletes the links of these orders with contacts. */
export async function deleteLinksOf(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  await tx
    .deleteFrom('whatsapp_order_contacts')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/** The pickup state of an order, in a query for `pharmacy_orders as record`. */
export const pickup = sql<string>`order_pickup(record.ready_at, record.collected_at, record.put_back_at)`

/** Whether some of its lines are there and not all, in the same. */
export const isPartlyReady = sql<boolean>`record.lines_there is not null and ${pickup} = 'none'`

/** The order as far as messages depend on it. */
export type OrderOfCustomer = {
  id: string
  recordId: string
  status: string
  number: string | null
  customer: string | null
  phone: string | null
  details: string | null
  isOverdue: boolean
  isPartlyReady: boolean
}

/** Who has ordered what: by the link of an order with a contact, else by its telephone number. Owns the links. */
export function createOrderCustomersStore(
  db: Database,
  contacts: Pick<ContactsStore, 'load' | 'ofPhone'>,
) {
  return {
    /** @param named the record id of the order, or one that it had before. `today`: the day in Rome */
    order(pharmacyId: string, named: string, today: Day): Promise<OrderOfCustomer | undefined> {
      return db
        .selectFrom('pharmacy_orders as record')
        .select([
          'id',
          'airtable_order_id as recordId',
          'status',
          'order_number as number',
          'customer_name as customer',
          'customer_phone as phone',
          'order_details as details',
          isOverdue(pharmacyId, today).as('isOverdue'),
          isPartlyReady.as('isPartlyReady'),
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .where(
          sql<boolean>`airtable_order_id = coalesce((
            select record_id from order_aliases where pharmacy_id = ${pharmacyId} and alias = ${named}
          ), ${named})`,
        )
        .executeTakeFirst()
    },

    /** Whether the order still has this telephone number. @param tx a transaction that has locked the contacts */
    async hasPhone(
      tx: Database,
      pharmacyId: string,
      { id, phone }: Pick<OrderOfCustomer, 'id' | 'phone'>,
    ): Promise<boolean> {
      const row = await tx
        .selectFrom('pharmacy_orders')
        .select('id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', id)
        .where('customer_phone', '=', phone)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The contact of an order, if known, and its number in E.164. */
    async find(pharmacyId: string, order: Pick<OrderOfCustomer, 'id' | 'phone'>) {
      const { whatsAppNumber } = await phoneNumbers(order.phone)
      const phone = whatsAppNumber && `+${whatsAppNumber}`
      const linked = await db
        .selectFrom('whatsapp_order_contacts')
        .select('contact_id')
        .where('order_id', '=', order.id)
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      if (linked) return { contact: await contacts.load(pharmacyId, linked.contact_id), phone }
      return { contact: phone ? await contacts.ofPhone(pharmacyId, phone) : undefined, phone }
    },

    /** Links an order with a contact, unless that was erased meanwhile. */
    async link(pharmacyId: string, recordId: string, contactId: string): Promise<void> {
      await db
        .insertInto('whatsapp_order_contacts')
        .columns(['order_id', 'pharmacy_id', 'contact_id'])
        .expression((from) =>
          from
            .selectFrom('pharmacy_orders')
            .select(['id', 'pharmacy_id', sql<string>`${contactId}::uuid`.as('contact_id')])
            .where('pharmacy_id', '=', pharmacyId)
            .where('airtable_order_id', '=', recordId)
            .where(({ exists, selectFrom }) =>
              exists(
                selectFrom('whatsapp_contacts')
                  .select('id')
                  .where('pharmacy_id', '=', pharmacyId)
                  .where('id', '=', contactId),
              ),
            ),
        )
        .onConflict((conflict) =>
          conflict.columns(['pharmacy_id', 'order_id']).doUpdateSet({ contact_id: contactId }),
        )
        .execute()
    },

    /** Whether the contact has ordered lately. @param tx the transaction in which a webhook is processed */
    async hasOrder(tx: Database, pharmacyId: string, contactId: string): Promise<boolean> {
      const { rows } = await sql<{ has: boolean }>`
        select exists (
          select from whatsapp_order_contacts as link
          join pharmacy_orders as record
            on record.pharmacy_id = link.pharmacy_id and record.id = link.order_id
          where link.pharmacy_id = ${pharmacyId} and link.contact_id = ${contactId}
            and record.airtable_created > now() - make_interval(days => ${ORDER_DAYS})
        ) or exists (
          select from whatsapp_contacts as contact
          join order_search as search on search.pharmacy_id = contact.pharmacy_id
            and search.phone_key = order_phone_key(contact.phone)
          where contact.id = ${contactId} and contact.pharmacy_id = ${pharmacyId}
            and search.created > now() - make_interval(days => ${ORDER_DAYS})
        ) as has`.execute(tx)
      return rows[0]?.has === true
    },
  }
}

/** How a consent or a withdrawal came about. */
export type ConsentSource =
  | { channel: 'counter'; userId: string; at: string }
  | { channel: 'message'; metaId: string; at: string }

export type NewConsent = {
  isGiven: boolean
  wordingVersion: number
  wording: string
  source: ConsentSource
}

/** The most consents that are shown of a person. */
const SHOWN = 20

/** The latest consent first. Meta tells the second of a message only: in one second a withdrawal counts. */
const latestFirst = sql`date_trunc('second', consent.at) desc, consent.is_given, consent.id desc`

/** Rows are only added: the latest of a contact counts. The only writer of `whatsapp_consents`. */
export function createConsentsStore(db: Database) {
  /** Whether the contact wants notices; undefined when neither a consent nor a withdrawal is known. */
  async function latest(tx: Database, pharmacyId: string, contactId: string) {
    const row = await tx
      .selectFrom('whatsapp_consents as consent')
      .select('is_given')
      .where('pharmacy_id', '=', pharmacyId)
      .where('contact_id', '=', contactId)
      .orderBy(latestFirst)
      .limit(1)
      .executeTakeFirst()
    return row?.is_given
  }

  return {
    latest,

    /**
     * Adds a consent or a withdrawal, unless the latest says the same.
     *
     * @param tx a transaction that has locked the contacts of the pharmacy, or the pharmacy
     * @returns the id of the row; undefined when nothing has changed
     */
    async record(
      tx: Database,
      pharmacyId: string,
      contactId: string,
      { isGiven, wordingVersion, wording, source }: NewConsent,
    ): Promise<string | undefined> {
      if ((await latest(tx, pharmacyId, contactId)) === isGiven) return undefined
      const row = await tx
        .insertInto('whatsapp_consents')
        .values({
          pharmacy_id: pharmacyId,
          contact_id: contactId,
          is_given: isGiven,
          wording_version: wordingVersion,
          wording,
          channel: source.channel,
          at: source.at,
          ...(source.channel === 'counter'
            ? { recorded_by: source.userId }
            : { message_id: source.metaId }),
        })
        // The same message in another webhook.
        .onConflict((conflict) =>
          conflict.constraint('whatsapp_consents__once_of_message').doNothing(),
        )
        .returning('id')
        .executeTakeFirst()
      // An older message that comes late changes nothing.
      return (await latest(tx, pharmacyId, contactId)) === isGiven ? row?.id : undefined
    },

    /** Newest first. */
    list(pharmacyId: string, contactId: string): Promise<Consent[]> {
      return db
        .selectFrom('whatsapp_consents as consent')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'consent.pharmacy_id')
        .select([
          'consent.is_given as isGiven',
          sql<Consent['channel']>`consent.channel`.as('channel'),
          'consent.at',
          'consent.wording',
          sql<string | null>`case when consent.recorded_by is not null
            then coalesce(person_name(consent.recorded_by, pharmacy.id), pharmacy.name) end`.as(
            'by',
          ),
        ])
        .where('consent.pharmacy_id', '=', pharmacyId)
        .where('consent.contact_id', '=', contactId)
        .orderBy(latestFirst)
        .limit(SHOWN)
        .execute()
    },
  }
}
