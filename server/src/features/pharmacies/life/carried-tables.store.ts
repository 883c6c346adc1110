import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import { people, tables } from './pharmacy-tables.store.ts'

/** Rows of a table that are carried with a pharmacy. */
type CarriedRows = {
  where: (pharmacyId: string) => RawBuilder<unknown>
  /** Columns that are empty in the export where the condition does not hold. */
  only?: Record<string, (pharmacyId: string) => RawBuilder<unknown>>
}

/**
 * - `never`: belongs to the processes or to the database itself
 * - `with_all`: in an export of everything, and not with a pharmacy
 */
type Carried = 'never' | 'with_all' | CarriedRows

const where = (condition: (pharmacyId: string) => RawBuilder<unknown>): CarriedRows => ({
  where: condition,
})

/** Of a table whose rows follow others, and name the pharmacy too. */
const named = where((pharmacyId) => sql`pharmacy_id = ${pharmacyId}`)

/** The people and the pharmacy's own account, also where it is an administrator's. */
const accounts = (pharmacyId: string) =>
  sql`(select ${pharmacyId}::uuid union ${people(pharmacyId)})`

/** Who shows a picture, in the terms of `image_uses`. */
const holders = (pharmacyId: string) => sql`(
  select 'offer:' || id from product_offers where pharmacy_id = ${pharmacyId} union all select 'logo:' || ${pharmacyId}
)`
/** Its own pictures, and those of the archive of products that it shows. */
const pictures = (pharmacyId: string) => sql`(
  select public_id from images where pharmacy_id = ${pharmacyId}
  union select public_id from image_uses where holder in ${holders(pharmacyId)}
)`
const files = (pharmacyId: string) => sql`(
  select file_key from images where file_key is not null and public_id in ${pictures(pharmacyId)}
  union select file_key from storage_objects where folder = ${pharmacyId}::text
)`

/** Tables whose rows follow others: what does not name the pharmacy has to be found by those. */
type Following = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends 'follows' ? Name : never
}[keyof DB]

/**
 * Whether the rows of a table are in an export of everything, and in that of one pharmacy. A table that is not listed
 * is in both where `pharmacy-tables.store.ts` knows its rows by their pharmacy, and else only in that of everything.
 */
const listed: Record<Following, Carried> & Partial<Record<keyof DB, Carried>> = {
  // Reports to the address of the server that made it.
  airtable_webhooks: 'never',
  auth_challenges: 'with_all',
  auth_external_flows: 'with_all',
  auth_factors: where((pharmacyId) => sql`user_id in ${people(pharmacyId)}`),
  auth_flow_states: 'with_all',
  // A service of the same name may be another one there, whose accounts are other people.
  auth_identities: 'with_all',
  auth_one_time_tokens: 'with_all',
  // Hashed with a key of APP_SECRET.
  auth_recovery_codes: 'with_all',
  auth_refresh_tokens: 'with_all',
  auth_sessions: 'with_all',
  auth_users: {
    where: (pharmacyId) => sql`id in ${accounts(pharmacyId)}`,
    // With an administrator's password one signs in as administrator on the server that exports.
    only: { password_hash: (pharmacyId) => sql`id in ${people(pharmacyId)}` },
  },
  backup_alerts: 'never',
  backup_archive: 'never',
  backup_runs: 'never',
  image_uses: where((pharmacyId) => sql`holder in ${holders(pharmacyId)}`),
  images: {
    where: (pharmacyId) => sql`public_id in ${pictures(pharmacyId)}`,
    only: { pharmacy_id: (pharmacyId) => sql`pharmacy_id = ${pharmacyId}` },
  },
  job_workers: 'never',
  migration_items: named,
  migration_records: named,
  notice_dismissals: 'with_all',
  // A file that is made within minutes.
  order_exports: 'with_all',
  order_image_files: where(
    (pharmacyId) =>
      sql`pharmacy_id = ${pharmacyId} and key in (
        select key from order_images where pharmacy_id = ${pharmacyId}
        union all select key from order_attachments where pharmacy_id = ${pharmacyId}
      )`,
  ),
  order_source_leases: 'never',
  pharmacy_exports: 'with_all',
  pharmacy_import_rows: 'with_all',
  pharmacy_members: where(
    (pharmacyId) =>
      sql`pharmacy_id = ${pharmacyId} and (removed_at is not null or user_id in ${accounts(pharmacyId)})`,
  ),
  priority_events: named,
  priority_links: named,
  // Registered for the push key of the server, in a session.
  push_subscriptions: 'with_all',
  rate_limits: 'never',
  realtime_messages: 'never',
  realtime_nodes: 'never',
  realtime_presences: 'never',
  request_places: 'never',
  request_silences: 'never',
  // Written by the migrations themselves.
  schema_migrations: 'never',
  service_checks: 'never',
  storage_objects: {
    where: (pharmacyId) => sql`folder = ${pharmacyId}::text`,
    only: { owner: (pharmacyId) => sql`owner in ${accounts(pharmacyId)}` },
  },
  stored_files: where(
    (pharmacyId) => sql`key in ${files(pharmacyId)} or drawn_from in ${files(pharmacyId)}`,
  ),
  // Of the operator.
  support_visits: 'with_all',
  used_pharmacy_codes: where(
    (pharmacyId) =>
      sql`code = (select upper(pharmacy_id) from pharmacies where id = ${pharmacyId})`,
  ),
  // By pseudonyms with the salt of the day.
  visitors: 'with_all',
}

const exceptions = new Map<string, Carried>(Object.entries(listed))

const carried = Object.entries(tables).map(([name, table]): [string, Carried] => [
  name,
  exceptions.get(name) ?? (typeof table === 'string' ? 'with_all' : { where: table.isOf }),
])

export type CarriedTable = { name: string; where?: string; values?: Record<string, string> }

/** Of a pharmacy. */
export type PharmacyRows = CarriedTable & { where: string }

/** The tables of an export of everything. */
export const allTables: readonly CarriedTable[] = carried.flatMap(([name, rows]) =>
  rows === 'never' ? [] : [{ name }],
)

/** The tables of the export of a pharmacy, with the conditions of their rows as SQL. @param pharmacyId a UUID */
export function tablesOfPharmacy(db: Database, pharmacyId: string): PharmacyRows[] {
  // COPY takes no parameters.
  const text = (condition: RawBuilder<unknown>) =>
    condition.compile(db).sql.replace(/\$\d+/g, `'${pharmacyId}'`)
  return carried.flatMap(([name, rows]): PharmacyRows[] => {
    if (typeof rows === 'string') return []
    const values: Record<string, string> = {}
    for (const [column, condition] of Object.entries(rows.only ?? {})) {
      values[column] = `case when ${text(condition(pharmacyId))} then ${column} end`
    }
    return [{ name, where: text(rows.where(pharmacyId)), values }]
  })
}
