import { dayOf } from '@bancone/contract/dates'
import { SourceFailure } from '@bancone/contract/order-health'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'

export type OverviewFacts = Awaited<ReturnType<PharmacyOverviewStore['list']>>[number]

type Row = {
  id: string
  code: string
  name: string
  is_active: boolean
  created_at: string
  plan_valid_until: string | null
  max_offers: number | null
  is_on_airtable: boolean
  read_at: string | null
  failed_at: string | null
  last_error: string | null
  missing_columns: string[] | null
  last_sign_in_at: string | null
  last_seen_at: string | null
  last_order_at: string | null
  orders_in_7_days: number
  active_offers: number
  image_bytes: string
  file_bytes: string
  waiting: number
  waiting_since: string | null
  quarantined: number
  failed_jobs: number
}

export type PharmacyOverviewStore = ReturnType<typeof createPharmacyOverviewStore>

/** Reads the state of the pharmacies from the tables of other features. Writes nothing. */
export function createPharmacyOverviewStore(db: Database) {
  return {
    /**
     * All pharmacies that are not deleted, by name.
     *
     * What every pharmacy has many of is looked up in an index for each; what few have is grouped once.
     *
     * @param now milliseconds since 1970
     */
    async list(now: number) {
      const { rows } = await sql<Row>`
        with people as (
          select id as pharmacy_id, id as user_id from pharmacies
          union all
          select pharmacy_id, user_id from pharmacy_members where removed_at is null
        ),
        signed_in as (
          select people.pharmacy_id, max(account.last_sign_in_at) as at
          from people join auth_users account on account.id = people.user_id
          group by people.pharmacy_id
        ),
        seen as (
          select people.pharmacy_id, max(session.refreshed_at) as at
          from people join auth_sessions session on session.user_id = people.user_id
          group by people.pharmacy_id
        ),
        active as (
          select pharmacy_id, count(*)::int as offers from product_offers
          where is_active and coalesce(end_date >= ${dayOf(now)}::date, true)
          group by pharmacy_id
        ),
        waiting as (
          select pharmacy_id, count(*)::int as changes, min(at) as since
          from (
            select pharmacy_id, changed_at as at from order_changes
            union all
            select pharmacy_id, created_at from order_creations where not kept_here
          ) of_orders
          group by pharmacy_id
        ),
        aside as (
          select pharmacy_id, count(*)::int as records from order_set_aside group by pharmacy_id
        ),
        pictures as (
          select pharmacy_id, sum(bytes) as bytes from images where pharmacy_id is not null group by pharmacy_id
        ),
        files as (
          select folder, sum(size) as bytes from storage_objects group by folder
        ),
        failed as (
          select coalesce(job.payload ->> 'pharmacyId', job.payload -> 'to' ->> 'userId') as pharmacy_id,
            count(*)::int as jobs
          from graphile_worker._private_jobs job
          where job.last_error is not null and job.attempts >= 3
          group by 1
        )
        select pharmacy.id, pharmacy.pharmacy_id as code, pharmacy.name, pharmacy.is_active, pharmacy.created_at,
          pharmacy.plan_valid_until, pharmacy.max_offers, source.is_on_airtable,
          copy.read_at, copy.failed_at, copy.last_error, copy.missing_columns,
          signed_in.at as last_sign_in_at, greatest(signed_in.at, seen.at) as last_seen_at,
          newest.at as last_order_at, recent.orders as orders_in_7_days,
          coalesce(active.offers, 0) as active_offers,
          coalesce(pictures.bytes, 0) as image_bytes, coalesce(files.bytes, 0) as file_bytes,
          coalesce(waiting.changes, 0) as waiting, waiting.since as waiting_since,
          case when source.is_on_airtable then coalesce(aside.records, 0) else 0 end as quarantined,
          coalesce(failed.jobs, 0) as failed_jobs
        from pharmacies pharmacy
        cross join lateral (select ${isOnAirtable('pharmacy')} as is_on_airtable) source
        left join order_copies copy
          on source.is_on_airtable and copy.pharmacy_id = pharmacy.id
          and copy.base_id = pharmacy.airtable_base_id and copy.table_id = pharmacy.airtable_table_id
        cross join lateral (
          select max(airtable_created) as at from pharmacy_orders where pharmacy_id = pharmacy.id
        ) newest
        cross join lateral (
          select count(*)::int as orders from pharmacy_orders
          where pharmacy_id = pharmacy.id and airtable_created > now() - interval '7 days'
        ) recent
        left join signed_in on signed_in.pharmacy_id = pharmacy.id
        left join seen on seen.pharmacy_id = pharmacy.id
        left join active on active.pharmacy_id = pharmacy.id
        left join waiting on waiting.pharmacy_id = pharmacy.id
        left join aside on aside.pharmacy_id = pharmacy.id
        left join pictures on pictures.pharmacy_id = pharmacy.id
        left join files on files.folder = pharmacy.id::text
        left join failed on failed.pharmacy_id = pharmacy.id::text
        where pharmacy.deleted_at is null
        order by lower(pharmacy.name), pharmacy.id
      `.execute(db)
      return rows.map(factsOf)
    },
  }
}

function factsOf(row: Row) {
  const error = SourceFailure.safeParse(row.last_error)
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    isActive: row.is_active,
    createdAt: row.created_at,
    planValidUntil: row.plan_valid_until,
    maxOffers: row.max_offers,
    isOnAirtable: row.is_on_airtable,
    lastReadAt: row.read_at,
    failedAt: row.failed_at,
    copyError: error.success && row.failed_at !== null ? error.data : null,
    missingColumns: row.missing_columns ?? [],
    lastSignInAt: row.last_sign_in_at,
    lastSeenAt: row.last_seen_at,
    lastOrderAt: row.last_order_at,
    ordersIn7Days: row.orders_in_7_days,
    activeOffers: row.active_offers,
    imageBytes: Number(row.image_bytes),
    fileBytes: Number(row.file_bytes),
    waitingChanges: row.waiting,
    waitingSince: row.waiting_since,
    quarantined: row.quarantined,
    failedJobs: row.failed_jobs,
  }
}
