import { MAX_REMINDERS } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueueAll } from '../../../platform/jobs.ts'
import { messageSettings } from './message-settings.store.ts'
import { jobOf, SEND_TASK } from './outbox.store.ts'

/** A notice that is added without a request. */
type AutomaticNotice = {
  kind: 'ready' | 'received' | 'call'
  occasion?: string
  delaySeconds: number
  lifetimeSeconds: number
}

/** A press or a status is not announced at once, so that a mistake can be taken back. */
const READY = { kind: 'ready', delaySeconds: 30, lifetimeSeconds: 2 * 24 * 60 * 60 } as const
const RECEIVED = { kind: 'received', delaySeconds: 0, lifetimeSeconds: 12 * 60 * 60 } as const
const CALL = { kind: 'call', delaySeconds: 12, lifetimeSeconds: 10 * 60 } as const

/** What a reading finds later than this is not announced. */
const LATE = sql`make_interval(hours => 2)`

/**
 * Announces orders that have become ready, and takes back what is not true any more of those whose status or pickup state
 * has changed.
 *
 * @param tx the transaction that changes them
 */
export async function announcePickup(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  const settings = orderIds.length > 0 && (await messageSettings(tx, pharmacyId))
  if (!settings) return
  await takeBackNotices(tx, pharmacyId, orderIds)
  if (!settings.isOn || !settings.announcesReady) return
  // Ready since this transaction.
  const isReady = sql<boolean>`id = any(${orderIds}::bigint[]) and is_to_collect and ready_at >= now()
    and (changed_from = 'person' or airtable_last > now() - ${LATE})`
  await addAutomaticNotices(tx, pharmacyId, READY, isReady)
}

/**
 * Answers the orders that have come in, unless the pharmacy is open when they are sent. The staff write orders down for
 * customers who are there.
 *
 * @param tx the transaction that adds them
 */
export async function answerArrivals(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  const settings = orderIds.length > 0 && (await messageSettings(tx, pharmacyId))
  if (!settings || !settings.isOn || !settings.answersClosed) return
  const isNew = sql<boolean>`id = any(${orderIds}::bigint[]) and origin <> 'person' and airtable_created > now() - ${LATE}`
  await addAutomaticNotices(tx, pharmacyId, RECEIVED, isNew)
}

/**
 * Tells a customer that a desk has called them, unless that is taken back. Each call of a priority session is an
 * occasion.
 *
 * @param tx the transaction that changes the priority session
 */
export async function announceCall(
  tx: Database,
  pharmacyId: string,
  prioritySession: { id: string; recordId: string; version: number; from: string; to: string },
): Promise<void> {
  const { id, recordId, version, from, to } = prioritySession
  if (from === 'called') await takeBackCall(tx, pharmacyId, recordId)
  if (to !== 'called') return
  const settings = await messageSettings(tx, pharmacyId)
  if (!settings?.isOn || !settings.sendsCalls) return
  const isCalled = sql<boolean>`airtable_order_id = ${recordId}`
  await addAutomaticNotices(tx, pharmacyId, { ...CALL, occasion: `${id} ${version}` }, isCalled)
}

/** Adds the notice about each of these orders, once for its occasion, and the jobs that send them. */
async function addAutomaticNotices(
  tx: Database,
  pharmacyId: string,
  { kind, occasion = '', delaySeconds, lifetimeSeconds }: AutomaticNotice,
  isMeant: RawBuilder<boolean>,
): Promise<void> {
  const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`
  const { rows } = await sql<{ id: string }>`
    insert into whatsapp_outbox (pharmacy_id, order_id, kind, occasion, is_automatic, ignores_hours, due_at, expires_at)
    select pharmacy_id, id, ${kind}, ${occasion}, true, ${kind === 'received'}, ${inSeconds(delaySeconds)},
      ${inSeconds(lifetimeSeconds)}
    from pharmacy_orders
    where pharmacy_id = ${pharmacyId} and ${isMeant}
    on conflict do nothing returning id`.execute(tx)
  await enqueueAll(
    tx,
    SEND_TASK,
    rows.map(({ id }) => ({ ...jobOf(pharmacyId, id), delaySeconds })),
    { priority: 0 },
  )
}

/**
 * Takes back the notices that wait about these orders and are not true any more: those of cancelled orders, those of orders
 * that were collected or put back, and those that were added without a request of orders that are not ready.
 */
async function takeBackNotices(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  await sql`
    delete from whatsapp_outbox message using pharmacy_orders changed
    where message.pharmacy_id = ${pharmacyId} and message.order_id = any(${orderIds}::bigint[])
      and changed.pharmacy_id = message.pharmacy_id and changed.id = message.order_id
      and (state = 'queued' or state = 'held_back' and kind <> 'call') and (
        changed.status = 'Annullato' and kind <> 'reply'
        or kind in ('ready', 'part', 'reminder') and (collected_at is not null or put_back_at is not null)
        or kind in ('ready', 'reminder') and is_automatic and not is_to_collect
      )`.execute(tx)
}

/** Takes back the call that waits about an order. */
async function takeBackCall(tx: Database, pharmacyId: string, recordId: string) {
  await sql`
    delete from whatsapp_outbox message using pharmacy_orders called
    where called.pharmacy_id = ${pharmacyId} and called.airtable_order_id = ${recordId}
      and message.pharmacy_id = called.pharmacy_id and message.order_id = called.id
      and message.kind = 'call' and message.state = 'queued'`.execute(tx)
}

/** Orders that have been ready for longer are forgotten by their customers for good. */
const LAST_REMINDER_DAYS = 30

/**
 * Reminds the customers of overdue orders, of the pharmacies that want it: the second time as many days after the first as
 * the order may be ready before it is overdue.
 */
export async function addReminders(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; pharmacyId: string }>`
      insert into whatsapp_outbox (pharmacy_id, order_id, kind, occasion, is_automatic, due_at, expires_at)
      select pharmacy_id, record.id, 'reminder', (reminders.count + 1)::text, true, now(), now() + make_interval(days => 2)
      from whatsapp_message_settings as settings
      join pharmacy_orders as record using (pharmacy_id)
      left join order_pickup_settings as pickup using (pharmacy_id)
      cross join lateral (
        select count(*) filter (where message.state <> 'failed') as count, max(created_at) as last
        from whatsapp_outbox as message
        where message.pharmacy_id = record.pharmacy_id and message.order_id = record.id and message.kind = 'reminder'
      ) as reminders
      where settings.is_on and settings.sends_reminders and settings.terms_version = ${whatsAppTerms.version}
        and record.is_to_collect and record.ready_at > now() - make_interval(days => ${LAST_REMINDER_DAYS})
        and rome_day(now()) >= first_overdue_day(record.ready_at, record.kept_until, pickup.overdue_days)
        and reminders.count < ${MAX_REMINDERS}
        and coalesce(
          rome_day(now()) >= first_overdue_day(reminders.last, null, pickup.overdue_days), true
        )
      on conflict do nothing returning id, pharmacy_id as "pharmacyId"`.execute(tx)
    const jobs = rows.map(({ id, pharmacyId }) => ({ ...jobOf(pharmacyId, id), delaySeconds: 0 }))
    await enqueueAll(tx, SEND_TASK, jobs, { priority: 0 })
  })
}
