import type { OrdersHealth } from '@bancone/contract/order-diagnostics'
import { SourceFailure } from '@bancone/contract/order-health'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import type { DatabaseTimes } from '../../../platform/telemetry/database-readings.ts'

export type PharmacyHealth = OrdersHealth & { id: string; pharmacyId: string; name: string }

type Row = Omit<PharmacyHealth, 'lastError'> & { failedAt: string | null; error: string | null }

export type OrderHealthStore = ReturnType<typeof createOrderHealthStore>

/** Reads the state of the copies. Writes nothing. */
export function createOrderHealthStore(db: Database) {
  return {
    async one(pharmacyId: string): Promise<PharmacyHealth | undefined> {
      const { rows } = await health(sql`and pharmacy.id = ${pharmacyId}`).execute(db)
      return rows[0] && healthOf(rows[0])
    },

    /** The most severe problems first, then by name. */
    async list({ page, pageSize }: { page: number; pageSize: number }) {
      const from = (page - 1) * pageSize
      const { rows } = await health(
        sql`order by ${gravity} desc, pharmacy.name, pharmacy.id limit ${pageSize} offset ${from}`,
      ).execute(db)
      const { count } = await db
        .selectFrom('pharmacies')
        .select((of) => of.fn.countAll<string>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return { pharmacies: rows.map(healthOf), total: Number(count) }
    },
  }
}

/** Problems that lose data rank above those that delay it. */
const gravity = sql`case
  when copy.last_error is not null then 4
  when waiting.since < now() - interval '1 minute' then 3
  when cardinality(copy.missing_columns) > 0 then 2
  when aside.records > 0 then 1
  else 0 end`

function health(narrowed: RawBuilder<unknown>) {
  return sql<Row>`
    select pharmacy.id, pharmacy.pharmacy_id as "pharmacyId", pharmacy.name,
      case when source.is_on_airtable then 'airtable' else 'database' end as source,
      copy.read_at as "lastPull", copy.failed_at as "failedAt", copy.last_error as error,
      copy.swept_at as "lastSweep", coalesce(copy.missing_columns, '{}') as "missingColumns",
      waiting.changes as queue, waiting.since as "queueSince", aside.records as "setAside"
    from pharmacies pharmacy
    cross join lateral (select ${isOnAirtable('pharmacy')} as is_on_airtable) source
    left join order_copies copy
      on source.is_on_airtable and copy.pharmacy_id = pharmacy.id
      and copy.base_id = pharmacy.airtable_base_id and copy.table_id = pharmacy.airtable_table_id
    cross join lateral (
      select count(*)::int as changes, min(at) as since
      from (
        select changed_at as at from order_changes where pharmacy_id = pharmacy.id
        union all
        select created_at from order_creations where pharmacy_id = pharmacy.id and not kept_here
      ) of_orders
    ) waiting
    cross join lateral (
      select case when source.is_on_airtable then count(*)::int else 0 end as records
      from order_set_aside where pharmacy_id = pharmacy.id
    ) aside
    where pharmacy.deleted_at is null
    ${narrowed}
  `
}

function healthOf({ failedAt, error, ...read }: Row): PharmacyHealth {
  const { data: kind } = SourceFailure.safeParse(error)
  return { ...read, lastError: kind && failedAt ? { kind, at: failedAt } : null }
}

/**
 * Changes and new orders that the order source does not have yet. Both tables hold little else than what waits. What waits
 * for a pharmacy that is deactivated or deleted is put off until it works again.
 */
export const orderBacklogs: DatabaseTimes = {
  airtable_changes: sql<string | null>`(
    select min(change.changed_at) from order_changes as change
    join pharmacies on pharmacies.id = change.pharmacy_id
    where is_active and deleted_at is null
  )`,
  airtable_orders: sql<string | null>`(
    select min(creation.created_at) from order_creations as creation
    join pharmacies on pharmacies.id = creation.pharmacy_id
    where not kept_here and is_active and deleted_at is null
  )`,
}
