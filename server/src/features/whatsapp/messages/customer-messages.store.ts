import type { CustomerDataCopy } from '@bancone/contract/customer-data'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { Customer } from '../../../platform/customers.ts'
import { deleteContact, lockContacts } from '../contacts.store.ts'
import { deleteDeliveriesOf } from '../deliveries.store.ts'
import type { Sealing } from '../sealed.ts'

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
    async copy(
      pharmacyId: string,
      customer: Customer,
    ): Promise<Pick<CustomerDataCopy, 'contact' | 'consents' | 'messages'>> {
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
    async erase(
      tx: Database,
      pharmacyId: string,
      customer: Customer,
      before: string | undefined,
    ): Promise<{ isContact: boolean; messages: number }> {
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
