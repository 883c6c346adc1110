import type { AirtableTokenLoad } from '@bancone/contract/airtable'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'
import { isReported } from '../../database/reported-tables.ts'
import { loadOf, perBase, perPharmacy, type ReadPharmacies } from './airtable-load.rules.ts'

/** Names shown of a token's pharmacies. */
const NAMES = 3

type Row = ReadPharmacies & {
  fingerprint: string | null
  names: string[]
  bases: number
  /** One of the bases. */
  base: string
}

/**
 * What the tokens of each user carry, those with the most pharmacies first. A token whose user is not known counts for
 * itself.
 *
 * @param of `keyId`: of the key that stored tokens can be opened with, others are not used; `serverFingerprint`: of the
 * token of the configuration, if there is one; `userOf`: whose the token of a base is
 */
export function createAirtableLoad(
  db: Database,
  {
    keyId,
    serverFingerprint,
    userOf,
  }: {
    keyId: string
    serverFingerprint: string | undefined
    userOf(baseId: string): Promise<string | undefined>
  },
) {
  return async () => {
    const { rows } = await sql<Row>`
      with read as (
        select pharmacy.name, pharmacy.airtable_base_id as base_id,
          coalesce(token.fingerprint, ${serverFingerprint ?? null}::text) as fingerprint,
          ${isReported('pharmacy.airtable_base_id', 'pharmacy.airtable_table_id')} as is_reported,
          coalesce(copy.watched_until > now(), false) as is_watched,
          pharmacy.orders_phase in ('shadow', 'database') or exists (
            select from push_subscriptions as device where device.pharmacy_id = pharmacy.id
          ) as is_followed,
          coalesce(copy.records, 0) as records
        from pharmacies as pharmacy
        left join order_copies as copy on copy.pharmacy_id = pharmacy.id
        left join airtable_tokens as token
          on token.base_id = pharmacy.airtable_base_id and token.key_id = ${keyId}
        where pharmacy.is_active and pharmacy.deleted_at is null and ${isOnAirtable('pharmacy')}
      ), counted as (
        select *, is_reported and (is_watched or is_followed) as is_active_reported,
          count(*) filter (where is_reported) over base as reported_of_base,
          count(*) filter (where is_reported and (is_watched or is_followed)) over base as active_reported_of_base
        from read window base as (partition by base_id)
      )
      select fingerprint, (array_agg(name order by lower(name)))[1:${sql.lit(NAMES)}] as names,
        count(distinct base_id)::int as bases, min(base_id) as base, count(*)::int as pharmacies,
        count(*) filter (where is_reported)::int as reported,
        count(*) filter (where is_active_reported)::int as "activeReported",
        coalesce(sum(reported_of_base) filter (where is_reported), 0)::int as "reportedSquares",
        coalesce(sum(active_reported_of_base) filter (where is_active_reported), 0)::int
          as "activeReportedSquares",
        count(*) filter (where is_watched and not is_reported)::int as watched,
        count(*) filter (where is_followed and not is_watched and not is_reported)::int as background,
        sum(records)::int as records
      from counted group by fingerprint order by count(*) desc, min(lower(name))
    `.execute(db)
    const byUser = new Map<string, Row[]>()
    const ofTokens = rows.filter(({ fingerprint }) => fingerprint !== null)
    const users = await Promise.all(ofTokens.map(({ base }) => userOf(base)))
    for (const [index, row] of ofTokens.entries()) {
      const user = users[index] ?? `token ${row.fingerprint}`
      byUser.set(user, [...(byUser.get(user) ?? []), row])
    }
    const tokens = [...byUser.values()]
      .map((ofUser): AirtableTokenLoad => {
        const read = ofUser.reduce(together)
        return {
          origin: ofUser.some(({ fingerprint }) => fingerprint === serverFingerprint)
            ? 'server'
            : 'own',
          tokens: ofUser.length,
          names: ofUser.flatMap(({ names }) => names).slice(0, NAMES),
          bases: read.bases,
          pharmacies: read.pharmacies,
          reported: read.reported,
          ...loadOf(read),
        }
      })
      .toSorted((a, b) => b.pharmacies - a.pharmacies)
    const withoutToken = rows.find(({ fingerprint }) => fingerprint === null)?.pharmacies ?? 0
    return { tokens, withoutToken, perPharmacy, perBase }
  }
}

/** Tokens have no base in common. */
function together(a: Row, b: Row): Row {
  return {
    ...a,
    bases: a.bases + b.bases,
    pharmacies: a.pharmacies + b.pharmacies,
    reported: a.reported + b.reported,
    activeReported: a.activeReported + b.activeReported,
    reportedSquares: a.reportedSquares + b.reportedSquares,
    activeReportedSquares: a.activeReportedSquares + b.activeReportedSquares,
    watched: a.watched + b.watched,
    background: a.background + b.background,
    records: a.records + b.records,
  }
}
