import type { MessageReason } from '@bancone/contract/whatsapp-messages'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { DatabaseTimes } from '../../../platform/telemetry/database-readings.ts'
import { deleteDeliveriesOf } from '../deliveries.store.ts'

export const SEND_TASK = 'whatsapp.send'

/** Days for which messages written by people, and what became of notices, are kept. */
const TEXT_DAYS = 30
const NOTICE_DAYS = 365

export const iso = (time: number) => new Date(time).toISOString()

type Lifetime = { dueAt: number; expiresAt: number }
type Sealed = { text: Buffer; keyId: string }

/** Messages that are due. Those that Meta may have sent wait for its report. */
export const messageBacklog: DatabaseTimes = {
  whatsapp_messages: sql<string | null>`(
    select min(due_at) from whatsapp_outbox
    where state in ('queued', 'sending') and due_at <= now()
  )`,
}

/** Deletes the messages about these orders, with what was reported of them. */
export async function deleteMessagesOf(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  const messages = await tx
    .deleteFrom('whatsapp_outbox')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .returning('message_id')
    .execute()
  await deleteDeliveriesOf(
    tx,
    pharmacyId,
    messages.map((message) => message.message_id),
  )
}

/** Enqueues the attempt to send a message. @param at milliseconds since 1970 */
export function enqueueSending(
  db: Database,
  pharmacyId: string,
  messageId: string,
  at: number,
  now: number,
) {
  const delaySeconds = Math.max(0, at - now) / 1_000
  return enqueue(
    db,
    SEND_TASK,
    { pharmacyId, messageId },
    { key: `${SEND_TASK}:${messageId}`, delaySeconds },
  )
}

/** The messages that are sent, or were. With the automatic notices the only writer of `whatsapp_outbox`. */
export function createOutboxStore(db: Database) {
  return {
    /**
     * Adds the notice that a person asks for. One that waits already is sent at once where `ignoresHours`; one that was
     * sent stays the only one.
     */
    async addNotice(
      pharmacyId: string,
      orderId: string,
      wanted: { kind: 'ready' | 'link'; ignoresHours: boolean; userId: string } & Lifetime,
      now: number,
    ): Promise<void> {
      const { kind, ignoresHours, userId, dueAt, expiresAt } = wanted
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('whatsapp_outbox')
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .where('kind', '=', kind)
          .where('state', '=', 'held_back')
          .execute()
        const added = await tx
          .insertInto('whatsapp_outbox')
          .values({
            pharmacy_id: pharmacyId,
            order_id: orderId,
            kind,
            ignores_hours: ignoresHours,
            due_at: iso(dueAt),
            expires_at: iso(expiresAt),
            created_by: userId,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (added) return enqueueSending(tx, pharmacyId, added.id, dueAt, now)
        // One that waits by itself is a person's from now on: a change of the status does not take it back.
        const waiting = await tx
          .updateTable('whatsapp_outbox')
          .set({
            is_automatic: false,
            created_by: userId,
            ...(ignoresHours && {
              ignores_hours: true,
              due_at: sql<string>`least(due_at, ${iso(dueAt)}::timestamptz)`,
            }),
          })
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .where('kind', '=', kind)
          .where('state', '=', 'queued')
          .returning('id')
          .executeTakeFirst()
        if (waiting && ignoresHours) await enqueueSending(tx, pharmacyId, waiting.id, dueAt, now)
      })
    },

    /** @throws AppError `whatsapp.notice_gone` */
    async cancelNotice(pharmacyId: string, orderId: string, noticeId: string): Promise<void> {
      const gone = await db
        .deleteFrom('whatsapp_outbox')
        .where('id', '=', noticeId)
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('kind', 'in', ['ready', 'link', 'call'])
        .where('state', 'in', ['queued', 'held_back'])
        .returning('id')
        .executeTakeFirst()
      if (!gone) throw new AppError('whatsapp.notice_gone')
    },

    /** Adds a text to a person, once for each id. */
    async addReply(
      pharmacyId: string,
      reply: { id: string; orderId: string; contactId: string; userId: string } & Sealed & Lifetime,
      now: number,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const added = await tx
          .insertInto('whatsapp_outbox')
          .values({
            id: reply.id,
            pharmacy_id: pharmacyId,
            order_id: reply.orderId,
            contact_id: reply.contactId,
            kind: 'reply',
            text: reply.text,
            key_id: reply.keyId,
            due_at: iso(reply.dueAt),
            expires_at: iso(reply.expiresAt),
            created_by: reply.userId,
          })
          .onConflict((conflict) => conflict.columns(['pharmacy_id', 'id']).doNothing())
          .returning('id')
          .executeTakeFirst()
        if (added) await enqueueSending(tx, pharmacyId, reply.id, reply.dueAt, now)
      })
    },

    /** Adds the answer to a wish, once. @param tx the transaction that records the wish */
    async addAnswer(
      tx: Database,
      pharmacyId: string,
      answer: { contactId: string; occasion: string } & Sealed & Lifetime,
      now: number,
    ): Promise<void> {
      const added = await tx
        .insertInto('whatsapp_outbox')
        .values({
          pharmacy_id: pharmacyId,
          contact_id: answer.contactId,
          kind: 'answer',
          occasion: answer.occasion,
          is_automatic: true,
          text: answer.text,
          key_id: answer.keyId,
          due_at: iso(answer.dueAt),
          expires_at: iso(answer.expiresAt),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (added) await enqueueSending(tx, pharmacyId, added.id, answer.dueAt, now)
    },

    /** Nothing that waits is sent. @param tx the transaction that switches the messages off */
    async cancelAll(tx: Database, pharmacyId: string): Promise<void> {
      await tx
        .deleteFrom('whatsapp_outbox')
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', 'in', ['queued', 'held_back'])
        .execute()
    },

    /**
     * Ends what waits, as after an import, which brings no jobs. Of what was being sent, the other server gets the reports.
     *
     * @param tx the transaction of the import
     */
    async endOpen(tx: Database, pharmacyId: string): Promise<void> {
      await tx
        .updateTable('whatsapp_outbox')
        .set({
          state: 'failed',
          reason: sql<string>`case when state = 'queued' then 'late' else 'no_response' end`,
          claimed_until: null,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', 'in', ['queued', 'sending', 'unsure'])
        .execute()
    },

    /** Tries the messages at once that wait for what may be there now. */
    async wake(
      tx: Database,
      pharmacyId: string,
      reasons: readonly MessageReason[],
      now: number,
    ): Promise<void> {
      const rows = await tx
        .updateTable('whatsapp_outbox')
        .set({ due_at: iso(now) })
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', '=', 'queued')
        .where('reason', 'in', reasons)
        .returning('id')
        .execute()
      for (const { id } of rows) await enqueueSending(tx, pharmacyId, id, now, now)
    },

    async removeOld(): Promise<void> {
      await db
        .deleteFrom('whatsapp_outbox')
        .where(
          sql<boolean>`created_at < now() - make_interval(days =>
            case when kind in ('reply', 'answer') then ${sql.lit(TEXT_DAYS)} else ${sql.lit(NOTICE_DAYS)} end)`,
        )
        .execute()
    },
  }
}
