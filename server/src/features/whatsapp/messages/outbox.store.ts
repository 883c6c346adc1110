import { randomUUID } from 'node:crypto'
import {
  MAX_REMINDERS,
  type MessageReason,
  type MessageUsage,
  NoticeKind,
} from '@bancone/contract/whatsapp-messages'
import { type InsertObject, sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import { enqueue } from '../../../platform/jobs.ts'
import { deleteDeliveriesOf } from '../deliveries.store.ts'
import { noticeCounts, remindersSent, usageOfMonth } from './message-counts.store.ts'
import { lockMessageSettings } from './message-settings.store.ts'
import type { MessageKind } from './messages.rules.ts'

export const SEND_TASK = 'whatsapp.send'

/** Days for which messages with a text of their own, or a customer's code, and what became of the others are kept. */
const TEXT_DAYS = 30
const NOTICE_DAYS = 365

/** Seconds for which a claim holds: longer than a request to Meta may take. */
const CLAIM_SECONDS = 60

/** After which a message that Meta may have sent counts as failed, unless Meta has reported it. */
const UNSURE_MS = 600_000

/** What becomes of a refused message: another attempt, or its end. */
export type RefusalOutcome =
  | { until: number; reason: MessageReason | null; needsTemplate?: boolean }
  | { reason: MessageReason }

const iso = (time: number) => new Date(time).toISOString()

type IsBeyondMonth = (usage: MessageUsage) => boolean

/** Milliseconds since 1970. */
type Lifetime = { dueAt: number; expiresAt: number }

/**
 * A text for a contact, sealed: a reply with its id, the answer to a wish with its occasion, or the code of a request that is
 * answered with its occasion.
 */
type NewText = Lifetime & {
  kind: 'reply' | 'answer' | 'received'
  contactId: string
  text: Buffer
  keyId: string
  id?: string
  orderId?: string
  userId?: string
  occasion?: string
}

/** Meta's ids of all attempts to send a message. */
const allMetaIds = sql<string[]>`array_remove(earlier_message_ids || message_id, null)`

/** The job that sends a message. */
export const jobOf = (pharmacyId: string, messageId: string) => ({
  payload: { pharmacyId, messageId },
  key: `${SEND_TASK}:${messageId}`,
})

/** Enqueues the attempt to send a message, in place of one that is enqueued. */
function enqueueSending(db: Database, pharmacyId: string, messageId: string, delayMs: number) {
  const { payload, key } = jobOf(pharmacyId, messageId)
  return enqueue(db, SEND_TASK, payload, { key, delaySeconds: Math.max(0, delayMs) / 1_000 })
}

/** Adds a message with the job that sends it, unless it is there. @returns whether it was added */
async function add(
  tx: Database,
  pharmacyId: string,
  message: Omit<InsertObject<DB, 'whatsapp_outbox'>, 'pharmacy_id' | 'due_at' | 'expires_at'>,
  { dueAt, expiresAt }: Lifetime,
  now: number,
): Promise<boolean> {
  const added = await tx
    .insertInto('whatsapp_outbox')
    .values({
      ...message,
      pharmacy_id: pharmacyId,
      due_at: iso(dueAt),
      expires_at: iso(expiresAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await enqueueSending(tx, pharmacyId, added.id, dueAt - now)
  return added !== undefined
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

/** The occasion of the next reminder about an order. @throws AppError `whatsapp.reminded_twice` */
async function nextReminder(tx: Database, pharmacyId: string, orderId: string): Promise<string> {
  const sent = await remindersSent(tx, pharmacyId, orderId)
  if (sent >= MAX_REMINDERS) throw new AppError('whatsapp.reminded_twice')
  return String(sent + 1)
}

/** Removes a first answer for a person who has one until the pharmacy opens. */
async function removeAnswered(
  tx: Database,
  pharmacyId: string,
  messageId: string,
  contactId: string | null,
  opensAt: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from whatsapp_outbox message
    where pharmacy_id = ${pharmacyId} and id = ${messageId} and state = 'queued' and exists (
      select from whatsapp_outbox other
      where other.pharmacy_id = message.pharmacy_id and other.contact_id = ${contactId} and other.kind = 'received'
        and other.occasion = ${opensAt} and other.id <> message.id
    )
    returning id`.execute(tx)
  return rows.length > 0
}

/** The message failed, and there is another one about its order and occasion. */
const isReplaced = sql<boolean>`state = 'failed' and exists (
  select from whatsapp_outbox other
  where other.pharmacy_id = whatsapp_outbox.pharmacy_id and other.order_id = whatsapp_outbox.order_id
    and other.kind = whatsapp_outbox.kind and other.occasion = whatsapp_outbox.occasion
    and other.state not in ('failed', 'held_back')
)`

async function accept(message: ReturnType<typeof messageIn>, metaId: string): Promise<void> {
  await message
    .set({
      state: 'accepted',
      reason: null,
      message_id: metaId,
      accepted_at: sql<string>`coalesce(accepted_at, now())`,
      claimed_until: null,
    })
    .execute()
}

/** The messages that are sent, or were, and what becomes of them. `automatic-notices.store.ts` adds some. */
export function createOutboxStore(db: Database) {
  return {
    /**
     * Adds the notice that a person asks for. One that waits already is sent at once where `ignoresHours`; one that was
     * sent stays the only one, a reminder the first of two.
     *
     * @throws AppError `whatsapp.reminded_twice`
     */
    async addNotice(
      pharmacyId: string,
      orderId: string,
      wanted: {
        kind: 'ready' | 'part' | 'reminder' | 'link'
        ignoresHours: boolean
        userId: string
      } & Lifetime,
      now: number,
    ): Promise<void> {
      const { kind, ignoresHours, userId, dueAt } = wanted
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('whatsapp_outbox')
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .where('kind', '=', kind)
          .where('state', '=', 'held_back')
          .execute()
        const notice = {
          order_id: orderId,
          kind,
          ignores_hours: ignoresHours,
          created_by: userId,
          occasion: kind === 'reminder' ? await nextReminder(tx, pharmacyId, orderId) : '',
        }
        if (await add(tx, pharmacyId, notice, wanted, now)) return
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
        if (waiting && ignoresHours) await enqueueSending(tx, pharmacyId, waiting.id, dueAt - now)
      })
    },

    /** Adds a text once for its id or its occasion. @param tx for an answer the transaction that records the wish */
    async addText(tx: Database, pharmacyId: string, added: NewText, now: number): Promise<void> {
      const { id = randomUUID(), kind, orderId = null, contactId, userId = null } = added
      const { occasion = '', text, keyId } = added
      const of = { order_id: orderId, contact_id: contactId, created_by: userId, occasion }
      const message = {
        id,
        kind,
        ...of,
        is_automatic: kind !== 'reply',
        ignores_hours: kind === 'received',
        text,
        key_id: keyId,
      }
      await add(tx, pharmacyId, message, added, now)
    },

    /** @throws AppError `whatsapp.notice_gone` */
    async cancelNotice(pharmacyId: string, orderId: string, noticeId: string): Promise<void> {
      await db
        .deleteFrom('whatsapp_outbox')
        .where('id', '=', noticeId)
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('kind', 'in', NoticeKind.options)
        .where('state', 'in', ['queued', 'held_back'])
        .returning('id')
        .executeTakeFirstOrThrow(() => new AppError('whatsapp.notice_gone'))
    },

    /** Nothing that waits is sent. @param tx the transaction that switches the messages off */
    async cancelAll(tx: Database, pharmacyId: string): Promise<void> {
      await tx
        .deleteFrom('whatsapp_outbox')
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', 'in', ['queued', 'held_back'])
        .execute()
    },

    /** It is not due yet. */
    sendLater: (pharmacyId: string, messageId: string, delayMs: number) =>
      enqueueSending(db, pharmacyId, messageId, delayMs),

    /** A message that waits, and is tried then. */
    async postpone(
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
        if (waiting) await enqueueSending(tx, pharmacyId, messageId, until - now)
      })
    },

    /** Tries the messages at once that wait for what may be there now. */
    async wake(tx: Database, pharmacyId: string, reasons: readonly MessageReason[], now: number) {
      const rows = await tx
        .updateTable('whatsapp_outbox')
        .set({ due_at: iso(now) })
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', '=', 'queued')
        .where('reason', 'in', reasons)
        .returning('id')
        .execute()
      for (const { id } of rows) await enqueueSending(tx, pharmacyId, id, 0)
    },

    async end(
      pharmacyId: string,
      messageId: string,
      after: 'queued' | 'unsure',
      state: 'failed' | 'held_back',
      reason: MessageReason,
    ): Promise<void> {
      await messageIn(db, pharmacyId, messageId, [after]).set({ state, reason }).execute()
    },

    /** Nothing is kept of a message that was not to be sent. */
    async remove(pharmacyId: string, messageId: string): Promise<void> {
      await db
        .deleteFrom('whatsapp_outbox')
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', messageId)
        .where('state', '=', 'queued')
        .execute()
    },

    /**
     * Claims a message that is due, so that no other process sends it and no change of the order takes it back. The notices
     * of a pharmacy are claimed one after the other, so that its limits hold.
     *
     * @param bounds undefined: it is no notice. `opensAt`: of a first answer, of which a person gets one until then (ISO 8601)
     * @returns `day` or `month`: that limit is reached; `gone`: it was taken back, another process has it, or the person has
     * an answer
     */
    claim(
      pharmacyId: string,
      messageId: string,
      { contactId, by }: { contactId: string | null; by: 'text' | 'template' },
      bounds:
        | { dailyLimit: number; isBeyondMonth: IsBeyondMonth; opensAt: string | null }
        | undefined,
    ): Promise<'claimed' | 'day' | 'month' | 'gone'> {
      return db.transaction().execute(async (tx) => {
        if (bounds) {
          await lockMessageSettings(tx, pharmacyId)
          const { usedToday } = await noticeCounts(tx, pharmacyId)
          if (usedToday >= bounds.dailyLimit) return 'day'
          if (bounds.isBeyondMonth(await usageOfMonth(tx, pharmacyId))) return 'month'
        }
        const opensAt = bounds?.opensAt ?? null
        if (
          opensAt !== null &&
          (await removeAnswered(tx, pharmacyId, messageId, contactId, opensAt))
        )
          return 'gone'
        const claimed = await messageIn(tx, pharmacyId, messageId, ['queued'])
          .set({
            state: 'sending',
            reason: null,
            contact_id: contactId,
            sent_as: by,
            ...(opensAt !== null && { occasion: opensAt }),
            attempts: sql<number>`attempts + 1`,
            claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          })
          .returning('id')
          .executeTakeFirst()
        return claimed ? 'claimed' : 'gone'
      })
    },

    /** Meta has taken it. What it reports may have come before. */
    async markAccepted(pharmacyId: string, messageId: string, metaId: string): Promise<void> {
      await accept(messageIn(db, pharmacyId, messageId, ['sending', 'accepted']), metaId)
    },

    /** Meta may have sent it: it is not tried again, and a report of Meta decides. */
    async markUnsure(pharmacyId: string, messageId: string): Promise<void> {
      await messageIn(db, pharmacyId, messageId, ['sending'])
        .set({ state: 'unsure', reason: 'no_response', claimed_until: null })
        .execute()
      await enqueueSending(db, pharmacyId, messageId, UNSURE_MS)
    },

    /**
     * Finds the message that Meta reports of, by our reference or its id. A message whose response was lost is known to be
     * accepted then.
     *
     * @param tx the transaction in which the webhook is processed
     */
    async settleReported(
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
          'earlier_message_ids as earlierIds',
          isReplaced.as('isReplaced'),
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
      // A report about an earlier attempt says nothing of the present one.
      const isOver = !found || found.metaId !== null || found.state === 'queued'
      if (isOver || found.earlierIds.includes(metaId)) return found
      const message = messageIn(tx, pharmacyId, found.id, ['sending', 'unsure', 'failed'])
      // One that counted as failed stays so where another was added since: only one of them may be open.
      if (found.isReplaced) await message.set({ message_id: metaId }).execute()
      else await accept(message, metaId)
      return found
    },

    /**
     * Meta has refused a message in its response (`sending`), or has not delivered it (`accepted`). Another attempt is
     * another message to Meta.
     */
    async settleRefused(
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
              earlier_message_ids: allMetaIds,
              accepted_at: null,
              ...(outcome.needsTemplate && { needs_template: true }),
            }
          : { state: 'failed', reason: outcome.reason }
      const row = await messageIn(tx, pharmacyId, messageId, [from])
        .set({ ...set, claimed_until: null })
        .returning('id')
        .executeTakeFirst()
      if (row && 'until' in outcome)
        await enqueueSending(tx, pharmacyId, messageId, outcome.until - now)
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

    async removeOld(): Promise<void> {
      await db
        .deleteFrom('whatsapp_outbox')
        .where(
          sql<boolean>`created_at < now() - make_interval(days =>
            case when text is not null then ${sql.lit(TEXT_DAYS)} else ${sql.lit(NOTICE_DAYS)} end)`,
        )
        .execute()
    },
  }
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
    .returning(allMetaIds.as('metaIds'))
    .execute()
  const metaIds = messages.flatMap((message) => message.metaIds)
  await deleteDeliveriesOf(tx, pharmacyId, metaIds)
}
