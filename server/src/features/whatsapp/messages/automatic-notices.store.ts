import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueueAll } from '../../../platform/jobs.ts'
import { SEND_TASK } from './outbox.store.ts'

/** A status is not announced at once, so that a mistake can be taken back; nor what a reading finds long after. */
const READY = { delaySeconds: 30, lifetimeSeconds: 2 * 24 * 60 * 60, latestSeconds: 2 * 60 * 60 }
const CALL = { delaySeconds: 12, lifetimeSeconds: 10 * 60 }

const seconds = (number: number) => sql`make_interval(secs => ${sql.lit(number)})`

/**
 * Announces orders that get the status of the pharmacy's settings. What waits when the status changes again is taken back;
 * a notice that a person has asked for, only when the order is cancelled.
 *
 * @param tx the transaction that changes the statuses
 */
export async function announceStatuses(
  tx: Database,
  pharmacyId: string,
  statuses: readonly { orderId: string; from: string | null; to: string }[],
): Promise<void> {
  const changed = statuses.filter(({ from }) => from !== null)
  const settings = changed.length > 0 && (await settingsOf(tx, pharmacyId))
  if (!settings) return
  const ids = changed.map(({ orderId }) => orderId)
  const cancelled = changed.filter(({ to }) => to === 'Annullato').map(({ orderId }) => orderId)
  await sql`
    delete from whatsapp_outbox
    where pharmacy_id = ${pharmacyId} and order_id = any(${ids}::bigint[]) and (
      state in ('queued', 'held_back') and kind in ('ready', 'link')
        and (is_automatic or order_id = any(${cancelled}::bigint[]))
      or state = 'queued' and kind = 'call' and order_id = any(${cancelled}::bigint[])
    )`.execute(tx)
  const { isOn, readyStatus } = settings
  const ready = changed.filter(({ to }) => isOn && to === readyStatus && to !== 'Annullato')
  if (ready.length === 0) return
  await enqueueNotices(
    tx,
    pharmacyId,
    READY.delaySeconds,
    sql`
      select pharmacy_id, id, 'ready', '', true, now() + ${seconds(READY.delaySeconds)},
        now() + ${seconds(READY.lifetimeSeconds)}
      from pharmacy_orders
      where pharmacy_id = ${pharmacyId} and id = any(${ready.map(({ orderId }) => orderId)}::bigint[])
        and airtable_last > now() - ${seconds(READY.latestSeconds)}`,
  )
}

/**
 * Tells a customer that a desk has called them, unless that is taken back. Each call of a visit is an occasion.
 *
 * @param tx the transaction that changes the visit
 */
export async function announceCall(
  tx: Database,
  pharmacyId: string,
  visit: { id: string; recordId: string; version: number; from: string; to: string },
): Promise<void> {
  const { id, recordId, version, from, to } = visit
  if (from === 'called') {
    await sql`
      delete from whatsapp_outbox message using pharmacy_orders called
      where called.pharmacy_id = ${pharmacyId} and called.airtable_order_id = ${recordId}
        and message.pharmacy_id = called.pharmacy_id and message.order_id = called.id
        and message.kind = 'call' and message.state = 'queued'`.execute(tx)
  }
  if (to !== 'called') return
  const settings = await settingsOf(tx, pharmacyId)
  if (!settings?.isOn || !settings.sendsCalls) return
  await enqueueNotices(
    tx,
    pharmacyId,
    CALL.delaySeconds,
    sql`
      select pharmacy_id, id, 'call', ${`${id} ${version}`}, true,
        now() + ${seconds(CALL.delaySeconds)}, now() + ${seconds(CALL.lifetimeSeconds)}
      from pharmacy_orders where pharmacy_id = ${pharmacyId} and airtable_order_id = ${recordId}`,
  )
}

function settingsOf(tx: Database, pharmacyId: string) {
  return tx
    .selectFrom('whatsapp_message_settings')
    .select(['is_on as isOn', 'ready_status as readyStatus', 'sends_calls as sendsCalls'])
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirst()
}

/** Adds notices, each with its occasion only once, and the jobs that send them. */
async function enqueueNotices(
  tx: Database,
  pharmacyId: string,
  delaySeconds: number,
  notices: ReturnType<typeof sql>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into whatsapp_outbox (pharmacy_id, order_id, kind, occasion, is_automatic, due_at, expires_at)
    ${notices}
    on conflict do nothing returning id`.execute(tx)
  await enqueueAll(
    tx,
    SEND_TASK,
    rows.map(({ id }) => ({
      payload: { pharmacyId, messageId: id },
      key: `${SEND_TASK}:${id}`,
      delaySeconds,
    })),
    { priority: 0 },
  )
}
