import type { Day } from '@bancone/contract/dates'
import { OrderPickup } from '@bancone/contract/orders'
import { RegulatoryClass } from '@bancone/contract/product-categories'
import type { WhatsAppState } from '@bancone/contract/whatsapp'
import { sql } from 'kysely'
import { isOverdue } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'
import type { DatabaseTimes } from '../../../platform/telemetry/database-readings.ts'
import { usesWhatsApp } from '../connections.store.ts'
import type { MessageKind } from './messages.rules.ts'
import { isPartlyReady, pickup } from './order-customers.store.ts'
import { nameBeginnings, productNames, productsOf } from './order-products.rules.ts'

/** Messages that are due. Those that Meta may have sent wait for its report. */
export const messageBacklog: DatabaseTimes = {
  whatsapp_messages: sql<string | null>`(
    select min(due_at) from whatsapp_outbox
    where state in ('queued', 'sending') and due_at <= now()
  )`,
}

export type SendingStore = ReturnType<typeof createSendingStore>

/** A message with what belongs to it. Times are ISO 8601. */
export type StoredMessage = NonNullable<Awaited<ReturnType<SendingStore['load']>>>

/** What decides about a message. Reads only. */
export function createSendingStore(db: Database) {
  /** The offers of the pharmacy with one of these names, whatever their state. */
  async function offersNamed(pharmacyId: string, names: readonly string[]) {
    const rows = await db
      .selectFrom('product_offers as offer')
      .innerJoin('product_categories as category', 'category.name', 'offer.category')
      .select(['offer.product_name as name', 'offer.minsan as code', 'category.regulatory_class'])
      .where('offer.pharmacy_id', '=', pharmacyId)
      .where(
        sql<boolean>`lower(regexp_replace(btrim(offer.product_name), '\\s+', ' ', 'g')) = any(${names}::text[])`,
      )
      .execute()
    return rows.map(({ name, code, regulatory_class }) => ({
      name,
      code,
      regulatoryClass: RegulatoryClass.parse(regulatory_class),
    }))
  }

  /** Whether the register of medicines has one of these names, in lower case. */
  async function isMedicineName(names: readonly string[]): Promise<boolean> {
    const row = await db
      .selectFrom('medicines')
      .select('code')
      .where(sql<boolean>`lower(name) = any(${names}::text[])`)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    isMedicineName,

    /** Why an order is not announced by itself. */
    async productsOf(pharmacyId: string, details: string | null) {
      const [known, isInRegister] = await Promise.all([
        offersNamed(pharmacyId, productNames(details)),
        isMedicineName(nameBeginnings(details)),
      ])
      return productsOf(details, known, isInRegister)
    },

    /** @param today the day in Rome */
    async load(pharmacyId: string, messageId: string, today: Day) {
      const row = await db
        .selectFrom('whatsapp_outbox as message')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'message.pharmacy_id')
        .leftJoin('whatsapp_connections as connection', 'connection.pharmacy_id', 'pharmacy.id')
        .leftJoin('pharmacy_orders as record', (join) =>
          join
            .onRef('record.pharmacy_id', '=', 'message.pharmacy_id')
            .onRef('record.id', '=', 'message.order_id'),
        )
        .select([
          'message.id',
          'message.pharmacy_id as pharmacyId',
          sql<MessageKind>`message.kind`.as('kind'),
          'message.state',
          'message.is_automatic as isAutomatic',
          'message.ignores_hours as ignoresHours',
          'message.needs_template as needsTemplate',
          'message.text',
          'message.key_id as keyId',
          'message.attempts',
          'message.contact_id as contactId',
          sql<boolean>`coalesce(message.claimed_until > now(), false)`.as('isClaimed'),
          'message.due_at as dueAt',
          'message.expires_at as expiresAt',
          'message.created_by as createdBy',
          usesWhatsApp.as('isAllowed'),
          sql<WhatsAppState | null>`connection.state`.as('connectionState'),
          'connection.quality',
          'connection.phone_number_id as phoneNumberId',
          'connection.token',
          'connection.key_id as tokenKeyId',
          'pharmacy.name',
          'pharmacy.pharmacy_id as code',
          'record.id as orderId',
          'record.airtable_order_id as recordId',
          'record.status',
          pickup.as('pickup'),
          isPartlyReady.as('isPartlyReady'),
          sql<boolean>`coalesce(${isOverdue(pharmacyId, today)}, false)`.as('isOverdue'),
          sql<string | null>`record.expected_on::text`.as('expectedOn'),
          'record.order_number as number',
          'record.customer_phone as phone',
          'record.order_details as details',
          // Of the desk that has called the customer of an order.
          sql<string | null>`(
            select called_by from priority_access_sessions as session
            where session.pharmacy_id = record.pharmacy_id and status = 'called'
              and session.airtable_order_id = record.airtable_order_id
            limit 1
          )`.as('desk'),
        ])
        .where('message.id', '=', messageId)
        .where('message.pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      if (!row) return undefined
      const { connectionState, quality, phoneNumberId, token, tokenKeyId, name, code } = row
      const { orderId, recordId, status, number } = row
      return {
        ...row,
        connection: connectionState && {
          state: connectionState,
          quality,
          phoneNumberId,
          token,
          keyId: tokenKeyId,
        },
        pharmacy: { name, code },
        order:
          orderId !== null && recordId !== null && status !== null
            ? {
                id: orderId,
                recordId,
                status,
                pickup: OrderPickup.parse(row.pickup),
                isPartlyReady: row.isPartlyReady,
                isOverdue: row.isOverdue,
                expectedOn: row.expectedOn,
                number,
                phone: row.phone,
                details: row.details,
              }
            : null,
      }
    },
  }
}
