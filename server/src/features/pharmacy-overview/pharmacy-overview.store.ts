import { dayOf } from '@bancone/contract/dates'
import { SourceFailure } from '@bancone/contract/order-health'
import type { AttentionFacts } from '@bancone/contract/pharmacy-attention'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'

/** What the overview shows of a pharmacy, and what its light depends on. */
export type OverviewFacts = AttentionFacts & {
  id: string
  code: string
  name: string
  isOnAirtable: boolean
  failedAt: string | null
  lastSignInAt: string | null
  ordersIn7Days: number
  fileBytes: number
}

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
    async list(now: number): Promise<OverviewFacts[]> {
      const { rows } = await sql<OverviewFacts>`
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
        select pharmacy.id, pharmacy.pharmacy_id as code, pharmacy.name,
          pharmacy.is_active as "isActive", pharmacy.created_at as "createdAt",
          pharmacy.plan_valid_until as "planValidUntil", pharmacy.max_offers as "maxOffers",
          source.is_on_airtable as "isOnAirtable", copy.read_at as "lastReadAt",
          copy.failed_at as "failedAt", copy.last_error as "copyError",
          coalesce(copy.missing_columns, '{}') as "missingColumns", signed_in.at as "lastSignInAt",
          greatest(signed_in.at, seen.at) as "lastSeenAt", newest.at as "lastOrderAt",
          recent.orders as "ordersIn7Days", coalesce(active.offers, 0) as "activeOffers",
          coalesce(pictures.bytes, 0)::float8 as "imageBytes",
          coalesce(files.bytes, 0)::float8 as "fileBytes",
          coalesce(waiting.changes, 0) as "waitingChanges", waiting.since as "waitingSince",
          case when source.is_on_airtable then coalesce(aside.records, 0) else 0 end as quarantined,
          coalesce(failed.jobs, 0) as "failedJobs"
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
      return rows.map((row) => {
        const { data: copyError = null } = SourceFailure.safeParse(row.copyError)
        return { ...row, copyError: row.failedAt === null ? null : copyError }
      })
    },
  }
}
