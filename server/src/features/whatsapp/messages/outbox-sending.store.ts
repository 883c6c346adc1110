import type { MessageReason } from '@bancone/contract/whatsapp-messages'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { MessageKind } from './messages.rules.ts'
import { enqueueSending, iso, SEND_TASK } from './outbox.store.ts'

/** Seconds for which a claim holds: longer than a request to Meta may take. */
const CLAIM_SECONDS = 60

/** Seconds after which a message that Meta may have sent counts as failed, unless Meta has reported it. */
const UNSURE_SECONDS = 600

/** What becomes of a refused message: another attempt, or its end. */
export type RefusalOutcome =
  | { until: number; reason: MessageReason | null; needsTemplate?: boolean }
  | { reason: MessageReason }

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

/** What becomes of the messages of `whatsapp_outbox` when they are due. */
export function createOutboxSendingStore(db: Database) {
  return {
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
