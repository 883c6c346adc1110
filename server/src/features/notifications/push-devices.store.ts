import type { PushMessage, PushSubscription } from '@bancone/contract/notifications'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import { isActiveAccount } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../database/row-limit.ts'
import { enqueue } from '../../platform/jobs.ts'

export const NOTIFY_TASK = 'notifications.tell'

/** Name of the queue in which a pharmacy's jobs run one at a time, or two jobs would notify a device of the same. */
function notificationQueue(pharmacyId: string): string {
  return `notifications:${pharmacyId}`
}

/** What devices are notified of, and the column of `push_arrivals` that counts it. */
const counters = { orders: 'times', customers: 'customers' } as const

/**
 * Records the arrival of new orders and enqueues the job that notifies the pharmacy's devices.
 *
 * @param tx the transaction that writes the orders, so that the job exists exactly if it commits
 */
export function enqueueArrivals(tx: Database, pharmacyId: string): Promise<void> {
  return enqueueArrival(tx, pharmacyId, 'orders')
}

/** The same for customers with priority access. @param tx the transaction that writes the arrival */
export function enqueueCustomerArrival(tx: Database, pharmacyId: string): Promise<void> {
  return enqueueArrival(tx, pharmacyId, 'customers')
}

/** The only writer of `push_arrivals`. */
async function enqueueArrival(tx: Database, pharmacyId: string, what: keyof typeof counters) {
  const column = counters[what]
  await tx
    .insertInto('push_arrivals')
    .values({ pharmacy_id: pharmacyId, times: 0, [column]: 1 })
    .onConflict((conflict) =>
      conflict
        .column('pharmacy_id')
        .doUpdateSet({ [column]: sql<string>`push_arrivals.${sql.ref(column)} + 1` }),
    )
    .execute()
  const key = `${NOTIFY_TASK}:${pharmacyId}`
  await enqueue(tx, NOTIFY_TASK, { pharmacyId }, { key, queue: notificationQueue(pharmacyId) })
}

export const NOTIFY_DEVICE_TASK = 'notifications.tell_device'

/** Devices per pharmacy: far more than any pharmacy has. */
const MAX_DEVICES = 50

/** Rejected pushes in a row after which a device is removed. */
const MAX_FAILURES = 10

/** A device, and the number of unseen orders of its pharmacy. */
export type Device = PushSubscription & { id: string; unseen: number }

/** What a device is notified of: unseen orders, or customers who wait. */
export type ArrivalKind = Extract<PushMessage['kind'], 'new-orders' | 'arrivals'>

/** A device that was not notified of the newest arrivals of a kind, up to `arrivals`; `count`: how many wait. */
export type DueDevice = Device & {
  pharmacyId: string
  kind: ArrivalKind
  count: number
  arrivals: string
}

/** The column that says of which arrivals a device was notified. */
const toldColumns = { 'new-orders': 'told', arrivals: 'told_customers' } as const

/** The customers who wait, if no operator has noted the newest of them. */
const waitingCustomers = sql`(
  select case when bool_or(acknowledged_at is null) then count(*)::integer end
  from priority_access_sessions as session
  where session.pharmacy_id = device.pharmacy_id and session.ended_at is null and session.status = 'user_arrived'
)`

/** Per device, a row for each kind of arrivals. */
const arrivalsOf = sql<{
  kind: ArrivalKind
  told: string
  times: string
  count: number | null
}>`(values
  ('new-orders', device.told, arrived.times, counts.unseen),
  ('arrivals', device.told_customers, arrived.customers, ${waitingCustomers})
)`.as<'due'>(sql`due(kind, told, times, count)`)

export type PushDevicesStore = ReturnType<typeof createPushDevicesStore>

/** The only writer of `push_subscriptions`. */
export function createPushDevicesStore(db: Database) {
  const found = () =>
    db
      .selectFrom('push_subscriptions as device')
      .leftJoin('pharmacy_order_counts as counts', 'counts.pharmacy_id', 'device.pharmacy_id')
      .select(['device.id', 'device.endpoint', 'device.p256dh', 'device.auth', 'counts.unseen'])

  const store = {
    /**
     * Earlier arrivals do not count for the device, unless it was subscribed for this pharmacy before.
     * @throws AppError `session.missing` when the session has just ended, `notifications.too_many`
     */
    async subscribe(pharmacyId: string, sessionId: string, device: PushSubscription) {
      const { endpoint, keys } = device
      await db.transaction().execute(async (tx) => {
        // Serialized by a lock, or concurrent inserts would exceed the limit.
        await lockPharmacy(tx, pharmacyId)
        await tx
          .selectFrom('auth_sessions')
          .select('id')
          .where('id', '=', sessionId)
          .forKeyShare()
          .executeTakeFirstOrThrow(() => new AppError('session.missing'))
        await requireRoom({
          rows: tx
            .selectFrom('push_subscriptions')
            .where('pharmacy_id', '=', pharmacyId)
            .where('endpoint', '!=', endpoint),
          max: MAX_DEVICES,
          code: 'notifications.too_many',
        })
        await tx
          .insertInto('push_subscriptions')
          .values({
            session_id: sessionId,
            pharmacy_id: pharmacyId,
            endpoint,
            p256dh: keys.p256dh,
            auth: keys.auth,
            told: sql<string>`coalesce(
              (select times from push_arrivals where pharmacy_id = ${pharmacyId}), 0
            )`,
            told_customers: sql<string>`coalesce(
              (select customers from push_arrivals where pharmacy_id = ${pharmacyId}), 0
            )`,
          })
          .onConflict((conflict) =>
            conflict.column('endpoint').doUpdateSet({
              session_id: sessionId,
              pharmacy_id: pharmacyId,
              p256dh: keys.p256dh,
              auth: keys.auth,
              told: sql<string>`case
                when push_subscriptions.pharmacy_id = excluded.pharmacy_id
                then push_subscriptions.told else excluded.told
              end`,
              told_customers: sql<string>`case
                when push_subscriptions.pharmacy_id = excluded.pharmacy_id
                then push_subscriptions.told_customers else excluded.told_customers
              end`,
              failures: 0,
            }),
          )
          .execute()
      })
    },

    async unsubscribe(pharmacyId: string, endpoint: string): Promise<void> {
      await db
        .deleteFrom('push_subscriptions')
        .where('pharmacy_id', '=', pharmacyId)
        .where('endpoint', '=', endpoint)
        .execute()
    },

    async find(pharmacyId: string, endpoint: string): Promise<Device | undefined> {
      const row = await found()
        .where('device.pharmacy_id', '=', pharmacyId)
        .where('device.endpoint', '=', endpoint)
        .executeTakeFirst()
      return row && asDevice(row)
    },

    /**
     * The devices to notify now, of a pharmacy or a single one: something has arrived since their last notification,
     * something is still unseen, and their user still has access. A device may be due for both kinds of arrivals.
     */
    async due(of: { pharmacyId: string; deviceId?: string }): Promise<DueDevice[]> {
      const rows = await found()
        .innerJoin('push_arrivals as arrived', 'arrived.pharmacy_id', 'device.pharmacy_id')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'device.pharmacy_id')
        .innerJoin('auth_sessions as session', 'session.id', 'device.session_id')
        .innerJoin('auth_users as user', 'user.id', 'session.user_id')
        .innerJoin('auth_users as own', 'own.id', 'device.pharmacy_id')
        .innerJoinLateral(arrivalsOf, (join) => join.onTrue())
        .select(['device.pharmacy_id', 'due.kind', 'due.times', 'due.count'])
        .whereRef('due.told', '<', 'due.times')
        .where('due.count', '>', 0)
        .where('pharmacy.is_active', 'is', true)
        .where('pharmacy.deleted_at', 'is', null)
        .where(isActiveAccount('own'))
        .where(isActiveAccount('user'))
        .where(worksThere)
        .where(sql<boolean>`(session.aal = 'aal2' or not exists (
          select from auth_factors as factor where factor.user_id = "user".id and factor.status = 'verified'
        ))`)
        .where((is) =>
          is.and({
            'device.pharmacy_id': of.pharmacyId,
            ...(of.deviceId !== undefined && { 'device.id': of.deviceId }),
          }),
        )
        .execute()
      return rows.map((row) => ({
        ...asDevice(row),
        pharmacyId: row.pharmacy_id,
        kind: row.kind,
        count: row.count ?? 0,
        arrivals: row.times,
      }))
    },

    async delivered({ id, pharmacyId, kind, arrivals }: DueDevice): Promise<void> {
      await db
        .updateTable('push_subscriptions')
        .set({ ...toldUpTo(kind, arrivals), delivered_at: sql<string>`now()`, failures: 0 })
        .where('id', '=', id)
        // The device may have moved to another pharmacy, and arrivals are counted per pharmacy.
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    /** The push was rejected. After too many rejections in a row the device is removed. */
    async refused({ id, pharmacyId, kind, arrivals }: DueDevice): Promise<void> {
      const row = await db
        .updateTable('push_subscriptions')
        .set({ ...toldUpTo(kind, arrivals), failures: sql<number>`failures + 1` })
        .where('id', '=', id)
        .where('pharmacy_id', '=', pharmacyId)
        .returning('failures')
        .executeTakeFirst()
      if (row && row.failures >= MAX_FAILURES) await store.remove(pharmacyId, id)
    },

    async remove(pharmacyId: string, deviceId: string): Promise<void> {
      await db
        .deleteFrom('push_subscriptions')
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', deviceId)
        .execute()
    },

    /** Enqueues a retry job for the device. */
    async enqueueRetry(device: DueDevice, attempts: number, delaySeconds: number): Promise<void> {
      const key = `${NOTIFY_DEVICE_TASK}:${device.id}`
      const queue = notificationQueue(device.pharmacyId)
      const payload = { pharmacyId: device.pharmacyId, deviceId: device.id, attempts }
      await enqueue(db, NOTIFY_DEVICE_TASK, payload, { key, queue, delaySeconds })
    },
  }
  return store
}

/** An administrator who leaves a pharmacy keeps the account, and with it the session. */
const worksThere = sql<boolean>`("user".id = device.pharmacy_id or exists (
  select from pharmacy_members as member
  where member.user_id = "user".id and member.pharmacy_id = device.pharmacy_id and member.removed_at is null
))`

function toldUpTo(kind: ArrivalKind, arrivals: string) {
  const column = toldColumns[kind]
  return { [column]: sql<string>`greatest(${sql.ref(column)}, ${arrivals}::bigint)` }
}

type Row = { id: string; endpoint: string; p256dh: string; auth: string; unseen: number | null }

function asDevice({ id, endpoint, p256dh, auth, unseen }: Row): Device {
  return { id, endpoint, keys: { p256dh, auth }, unseen: unseen ?? 0 }
}
