import { type Insertable, sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import type { WhatsappInbound } from '../../../database/schema.gen.ts'

/** Days for which what customers have written is kept. */
const KEPT_DAYS = 30

/** The most drafts that are shown. */
const MAX_DRAFTS = 100

/** Minutes before a message in which its order may have been made. */
const SAME_ORDER_MINUTES = 10

const draftColumns = [
  'inbound.id',
  'inbound.contact_id as contactId',
  'inbound.at',
  'contact.name as customer',
  'contact.phone',
  'inbound.text',
  'inbound.key_id as keyId',
  sql<boolean>`exists (
    select from whatsapp_inbound as deletion
    where deletion.pharmacy_id = inbound.pharmacy_id and deletion.contact_id = inbound.contact_id
      and deletion.type = 'revoke'
      and deletion.about_message_id in (inbound.message_id, inbound.about_message_id)
  )`.as('isDeleted'),
] as const

/** What customers have written, and the pharmacy in the Business app, encrypted. The only writer of `whatsapp_inbound`. */
export function createInboundStore(db: Database) {
  const messagesWithContact = () =>
    db
      .selectFrom('whatsapp_inbound as inbound')
      .innerJoin('whatsapp_contacts as contact', (join) =>
        join
          .onRef('contact.pharmacy_id', '=', 'inbound.pharmacy_id')
          .onRef('contact.id', '=', 'inbound.contact_id'),
      )
      .select(draftColumns)

  return {
    /** Adds a message once. @param tx the transaction in which the webhook is processed. @returns whether it was added */
    async add(tx: Database, message: Insertable<WhatsappInbound>): Promise<boolean> {
      const added = await tx
        .insertInto('whatsapp_inbound')
        .values(message)
        .onConflict((conflict) => conflict.constraint('whatsapp_inbound__once').doNothing())
        .returning('id')
        .executeTakeFirst()
      return added !== undefined
    },

    /** The other versions of a message that was edited. @param metaId of the first version */
    async versions(tx: Database, pharmacyId: string, contactId: string, metaId: string) {
      return tx
        .selectFrom('whatsapp_inbound')
        .select(['message_id as metaId', 'draft', 'code', 'at'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('contact_id', '=', contactId)
        .where((where) =>
          where.or([
            where('message_id', '=', metaId),
            where.and([where('about_message_id', '=', metaId), where('type', '=', 'edit')]),
          ]),
        )
        .execute()
    },

    /** Whether a message of the contact waits to become an order. */
    async hasDraft(tx: Database, pharmacyId: string, contactId: string): Promise<boolean> {
      const row = await tx
        .selectFrom('whatsapp_inbound')
        .select('id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('contact_id', '=', contactId)
        .where('draft', '=', 'open')
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** A later version has taken the place of the drafts. */
    async replaceDrafts(tx: Database, pharmacyId: string, metaIds: readonly string[]) {
      if (metaIds.length === 0) return
      await tx
        .updateTable('whatsapp_inbound')
        .set({ draft: 'dismissed' })
        .where('pharmacy_id', '=', pharmacyId)
        .where('message_id', 'in', metaIds)
        .where('draft', '=', 'open')
        .execute()
    },

    /**
     * The first of the codes that the pharmacy's public page has given; undefined: it has given none of them.
     *
     * @param at when the message with the codes was written, ISO 8601
     */
    async knownCode(tx: Database, pharmacyId: string, codes: readonly string[], at: string) {
      if (codes.length === 0) return undefined
      return tx
        .selectFrom('offer_order_codes as known')
        .leftJoin('pharmacy_orders as made', (join) =>
          join
            .onRef('made.pharmacy_id', '=', 'known.pharmacy_id')
            .onRef('made.id', '=', 'known.order_id'),
        )
        .select([
          'known.code',
          // The order of this message may have come from Airtable a moment ago; a later message orders again.
          sql<boolean>`coalesce(
            made.airtable_created < ${at}::timestamptz - make_interval(mins => ${SAME_ORDER_MINUTES}), false
          )`.as('isUsed'),
        ])
        .where('known.pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`known.code = any (${codes}::text[])`)
        .orderBy(sql`array_position(${codes}::text[], known.code)`)
        .limit(1)
        .executeTakeFirst()
    },

    /** Oldest first, without those whose order has come another way. */
    drafts(pharmacyId: string) {
      return messagesWithContact()
        .leftJoin('offer_order_codes as known', (join) =>
          join
            .onRef('known.pharmacy_id', '=', 'inbound.pharmacy_id')
            .onRef('known.code', '=', 'inbound.code'),
        )
        .where('inbound.pharmacy_id', '=', pharmacyId)
        .where('inbound.draft', '=', 'open')
        .where('known.order_id', 'is', null)
        .orderBy('inbound.at')
        .limit(MAX_DRAFTS)
        .execute()
    },

    /**
     * A message that can become an order: one of a customer that was not dismissed. Also one that was confirmed: confirming
     * can be repeated.
     *
     * @throws AppError `whatsapp.draft_not_found`
     */
    async draft(pharmacyId: string, draftId: string) {
      return messagesWithContact()
        .where('inbound.pharmacy_id', '=', pharmacyId)
        .where('inbound.id', '=', draftId)
        .where(sql<boolean>`inbound.draft is distinct from 'dismissed' and not inbound.is_echo`)
        .executeTakeFirstOrThrow(() => new AppError('whatsapp.draft_not_found'))
    },

    /** An order was made of the message. */
    async confirm(pharmacyId: string, draftId: string): Promise<void> {
      await db
        .updateTable('whatsapp_inbound')
        .set({ draft: 'confirmed' })
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', draftId)
        .execute()
    },

    /** @throws AppError `whatsapp.draft_not_found` when it is not open, unless it was dismissed before */
    async dismiss(pharmacyId: string, draftId: string): Promise<void> {
      await db
        .updateTable('whatsapp_inbound')
        .set({ draft: 'dismissed' })
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', draftId)
        .where('draft', 'in', ['open', 'dismissed'])
        .returning('id')
        .executeTakeFirstOrThrow(() => new AppError('whatsapp.draft_not_found'))
    },

    async removeOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('whatsapp_inbound')
        .where('at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
