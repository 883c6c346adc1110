import { MAX_NOTES } from '@bancone/contract/order-details'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { requireRoom } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'
import { actorName, currentRecordId } from './order-actors.store.ts'
import type { StoredNote } from './order-details.rules.ts'
import type { Author } from './orders-owner.ts'

type NoteKey = { recordId: string; noteId: string }

/**
 * Locks the notes on these orders: none is changed until the end of the transaction.
 *
 * @returns the ids of those orders that have a note of the last days
 */
export async function lockNotesSince(
  tx: Database,
  pharmacyId: string,
  orders: readonly { id: string; recordId: string }[],
  days: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('order_notes')
    .select('record_id')
    .select(
      sql<boolean>`coalesce(changed_at, created_at) >= now() - make_interval(days => ${days}::integer)`.as(
        'is_late',
      ),
    )
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`record_id = any(${orders.map(({ recordId }) => recordId)}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const noted = new Set(rows.filter((row) => row.is_late).map((row) => row.record_id))
  return orders.filter(({ recordId }) => noted.has(recordId)).map(({ id }) => id)
}

/** Deletes the notes on these orders. */
export async function deleteNotesOf(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('order_notes')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`record_id = any(${recordIds}::text[])`)
    .execute()
}

export type OrderNotesStore = ReturnType<typeof createOrderNotesStore>

/** The pharmacy's private notes on its orders. */
export function createOrderNotesStore(db: Database) {
  const audit = createAudit(db)
  /** Without the text, which may be about a customer. */
  const record = (
    tx: Database,
    action: 'order_note_added' | 'order_note_changed' | 'order_note_removed',
    pharmacyId: string,
    noteId: string,
  ) => audit.recordChange(tx, { action, pharmacyId, target: { type: 'note', id: noteId } })

  function notes(tx: Database, pharmacyId: string) {
    return tx
      .selectFrom('order_notes as note')
      .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'note.pharmacy_id')
      .select([
        'note.id',
        'note.text',
        'note.created_at as at',
        'note.changed_at as changedAt',
        'note.user_id as userId',
        'note.session_id as sessionId',
        actorName(sql`note.user_id`).as('name'),
      ])
      .where('note.pharmacy_id', '=', pharmacyId)
  }

  return {
    /** Oldest first. */
    list(pharmacyId: string, recordId: string): Promise<StoredNote[]> {
      return notes(db, pharmacyId)
        .where('note.record_id', '=', recordId)
        .orderBy('note.created_at')
        .orderBy('note.id')
        .execute()
    },

    /**
     * Locks the order, not the pharmacy: the limit is one of the order.
     * @throws AppError `orders.not_found`, `orders.too_many_notes`
     */
    add(pharmacyId: string, recordId: string, text: string, author: Author): Promise<StoredNote> {
      return db.transaction().execute(async (tx) => {
        // The second call finds an order that got its record id from the source while the first one waited for the
        // lock.
        const order =
          (await lock(tx, pharmacyId, recordId)) ?? (await lock(tx, pharmacyId, recordId))
        if (!order) throw new AppError('orders.not_found')
        await requireRoom({
          rows: tx
            .selectFrom('order_notes')
            .where('pharmacy_id', '=', pharmacyId)
            .where('record_id', '=', order.recordId),
          max: MAX_NOTES,
          code: 'orders.too_many_notes',
        })
        const { id } = await tx
          .insertInto('order_notes')
          .values({
            pharmacy_id: pharmacyId,
            record_id: order.recordId,
            text,
            user_id: author.userId,
            session_id: author.sessionId,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await record(tx, 'order_note_added', pharmacyId, id)
        return notes(tx, pharmacyId).where('note.id', '=', id).executeTakeFirstOrThrow()
      })
    },

    /**
     * The author becomes the user of this change, so that no user is shown as the author of another's text.
     * @throws AppError `orders.note_not_found`
     */
    change(pharmacyId: string, { recordId, noteId }: NoteKey, text: string, author: Author) {
      return db.transaction().execute(async (tx) => {
        await tx
          .updateTable('order_notes')
          .set({
            text,
            user_id: author.userId,
            session_id: author.sessionId,
            changed_at: sql<string>`clock_timestamp()`,
          })
          .where('id', '=', noteId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('record_id', '=', currentRecordId(pharmacyId, recordId))
          .returning('id')
          .executeTakeFirstOrThrow(() => new AppError('orders.note_not_found'))
        await record(tx, 'order_note_changed', pharmacyId, noteId)
        return notes(tx, pharmacyId).where('note.id', '=', noteId).executeTakeFirstOrThrow()
      })
    },

    /** @throws AppError `orders.note_not_found` */
    async remove(pharmacyId: string, { recordId, noteId }: NoteKey): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('order_notes')
          .where('id', '=', noteId)
          .where('pharmacy_id', '=', pharmacyId)
          .where('record_id', '=', currentRecordId(pharmacyId, recordId))
          .returning('id')
          .executeTakeFirstOrThrow(() => new AppError('orders.note_not_found'))
        await record(tx, 'order_note_removed', pharmacyId, noteId)
      })
    },
  }
}

function lock(tx: Database, pharmacyId: string, recordId: string) {
  return tx
    .selectFrom('pharmacy_orders')
    .select('airtable_order_id as recordId')
    .where('pharmacy_id', '=', pharmacyId)
    .where('airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
    .forNoKeyUpdate()
    .executeTakeFirst()
}
