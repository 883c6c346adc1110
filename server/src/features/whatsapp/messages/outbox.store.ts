import type { MessageReason } from '@bancone/contract/whatsapp-messages'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { DatabaseTimes } from '../../../platform/telemetry/database-readings.ts'
import { deleteDeliveriesOf } from '../deliveries.store.ts'
import type { MessageKind } from './messages.rules.ts'

export const SEND_TASK = 'whatsapp.send'

/** Days for which messages written by people, and what became of notices, are kept. */
const TEXT_DAYS = 30
const NOTICE_DAYS = 365

/** Seconds for which a claim holds: longer than a request to Meta may take. */
const CLAIM_SECONDS = 60

/** Seconds after which a message that Meta may have sent counts as failed, unless Meta has reported it. */
const UNSURE_SECONDS = 600

/** What becomes of a refused message: another attempt, or its end. */
export type RefusalOutcome =
  | { until: number; reason: MessageReason | null; needsTemplate?: boolean }
  | { reason: MessageReason }

const iso = (time: number) => new Date(time).toISOString()

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

/** The update of a message in one of these states. */
const messageIn = (
  tx: Database,
  pharmacyId: string,
  messageId: string,
  states: readonly string[],
) =>
  tx
    .updateTable('whatsapp_outbox')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', messageId)
    .where('state', 'in', states)

/** The messages that are sent, or were, and what becomes of them. With the automatic notices the only writer of `whatsapp_outbox`. */
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

    /**
     * Claims a message that is due, so that no other process sends it and no change of the order takes it back. The notices
     * of a pharmacy are claimed one after the other, so that their daily limit holds.
     *
     * @param dailyLimit null: it is no notice
     * @returns `full`: the limit is reached; `gone`: it was taken back, or another process has it
     */
    claim(
      pharmacyId: string,
      messageId: string,
      contactId: string | null,
      dailyLimit: number | null,
    ): Promise<'claimed' | 'full' | 'gone'> {
      return db.transaction().execute(async (tx) => {
        if (dailyLimit !== null) {
          await tx
            .selectFrom('whatsapp_message_settings')
            .select('pharmacy_id')
            .where('pharmacy_id', '=', pharmacyId)
            .forUpdate()
            .execute()
          if ((await sentToday(tx, pharmacyId)) >= dailyLimit) return 'full'
        }
        const claimed = await messageIn(tx, pharmacyId, messageId, ['queued'])
          .set({
            state: 'sending',
            reason: null,
            contact_id: contactId,
            attempts: sql<number>`attempts + 1`,
            claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          })
          .returning('id')
          .executeTakeFirst()
        return claimed ? 'claimed' : 'gone'
      })
    },

    sentToday: (pharmacyId: string) => sentToday(db, pharmacyId),

    /** Meta has taken it. What it reports may have come before. */
    async accepted(pharmacyId: string, messageId: string, metaId: string): Promise<void> {
      await messageIn(db, pharmacyId, messageId, ['sending', 'accepted'])
        .set({
          state: 'accepted',
          reason: null,
          message_id: metaId,
          accepted_at: sql<string>`coalesce(accepted_at, now())`,
          claimed_until: null,
        })
        .execute()
    },

    /** A message that waits, and is tried then. */
    async wait(
      pharmacyId: string,
      messageId: string,
      { until, reason }: { until: number; reason: MessageReason },
      now: number,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const waiting = await messageIn(tx, pharmacyId, messageId, ['queued'])
          .set({ reason, due_at: iso(until) })
          .returning('id')
          .executeTakeFirst()
        if (waiting) await enqueueSending(tx, pharmacyId, messageId, until, now)
      })
    },

    /** It is not due yet. */
    later: (pharmacyId: string, messageId: string, dueAt: number, now: number) =>
      enqueueSending(db, pharmacyId, messageId, dueAt, now),

    async end(
      pharmacyId: string,
      messageId: string,
      after: 'queued' | 'unsure',
      state: 'failed' | 'held_back',
      reason: MessageReason,
    ): Promise<void> {
      await messageIn(db, pharmacyId, messageId, [after]).set({ state, reason }).execute()
    },

    /** Nothing is shown of a message that was not to be sent. */
    async forget(pharmacyId: string, messageId: string): Promise<void> {
      await db
        .deleteFrom('whatsapp_outbox')
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', messageId)
        .where('state', '=', 'queued')
        .execute()
    },

    /** Meta may have sent it: it is not tried again, and a report of Meta decides. */
    async unsure(pharmacyId: string, messageId: string): Promise<void> {
      await messageIn(db, pharmacyId, messageId, ['sending'])
        .set({ state: 'unsure', reason: 'no_response', claimed_until: null })
        .execute()
      const delaySeconds = UNSURE_SECONDS
      await enqueue(
        db,
        SEND_TASK,
        { pharmacyId, messageId },
        { key: `${SEND_TASK}:${messageId}`, delaySeconds },
      )
    },

    /**
     * Finds the message that Meta reports of, by our reference or its id. A message whose response was lost is known to be
     * accepted then.
     *
     * @param tx the transaction in which the webhook is processed
     */
    async reported(
      tx: Database,
      pharmacyId: string,
      { metaId, reference }: { metaId: string; reference: string | null },
    ) {
      const found = await tx
        .selectFrom('whatsapp_outbox')
        .select([
          'id',
          sql<MessageKind>`kind`.as('kind'),
          'order_id as orderId',
          'contact_id as contactId',
          'attempts',
          'state',
          'message_id as metaId',
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .where(({ or, eb }) =>
          or([
            eb('message_id', '=', metaId),
            ...(reference === null ? [] : [eb('id', '=', reference).and('message_id', 'is', null)]),
          ]),
        )
        .forUpdate()
        .executeTakeFirst()
      if (found && found.metaId === null && found.state !== 'queued') {
        await tx
          .updateTable('whatsapp_outbox')
          .set({
            state: 'accepted',
            reason: null,
            message_id: metaId,
            accepted_at: sql<string>`now()`,
            claimed_until: null,
          })
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', found.id)
          .execute()
      }
      return found
    },

    /**
     * Meta has refused a message in its response (`sending`), or has not delivered it (`accepted`). Another attempt is
     * another message to Meta.
     */
    async refused(
      tx: Database,
      pharmacyId: string,
      messageId: string,
      from: 'sending' | 'accepted',
      outcome: RefusalOutcome,
      now: number,
    ): Promise<void> {
      const set =
        'until' in outcome
          ? {
              state: 'queued',
              reason: outcome.reason,
              due_at: iso(outcome.until),
              message_id: null,
              accepted_at: null,
              ...(outcome.needsTemplate && { needs_template: true }),
            }
          : { state: 'failed', reason: outcome.reason }
      const row = await messageIn(tx, pharmacyId, messageId, [from])
        .set({ ...set, claimed_until: null })
        .returning('id')
        .executeTakeFirst()
      if (row && 'until' in outcome)
        await enqueueSending(tx, pharmacyId, messageId, outcome.until, now)
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

/** The notices of today in Rome that Meta has accepted, or is being asked to. */
async function sentToday(db: Database, pharmacyId: string): Promise<number> {
  const { sent } = await db
    .selectFrom('whatsapp_outbox')
    .select(sql<number>`count(*)::integer`.as('sent'))
    .where('pharmacy_id', '=', pharmacyId)
    .where('kind', 'in', ['ready', 'link', 'call'] satisfies MessageKind[])
    .where(
      sql<boolean>`(state in ('sending', 'unsure') or accepted_at >=
        date_trunc('day', now() at time zone 'Europe/Rome') at time zone 'Europe/Rome')`,
    )
    .executeTakeFirstOrThrow()
  return sent
}
