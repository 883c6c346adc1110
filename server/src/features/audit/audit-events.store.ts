import type { AuditFilter } from '@bancone/contract/audit'
import { ROME } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type AuditEventsStore = ReturnType<typeof createAuditEventsStore>
export type AuditRow = Awaited<ReturnType<AuditEventsStore['page']>>[number]

/** Reads the audit log, with the current names of people and pharmacies. */
export function createAuditEventsStore(db: Database) {
  /** The name of the account; of a primary account that has none, the pharmacy's. */
  const memberName = sql<string | null>`coalesce(
    person_name(event.person_id, event.pharmacy_id),
    (select name from pharmacies where id = event.person_id)
  )`

  return {
    /** Newest first. */
    page(filter: AuditFilter, { before, limit }: { before: string | undefined; limit: number }) {
      const { pharmacy, person, action, outcome, from, to } = filter
      let query = db
        .selectFrom('audit_events as event')
        .leftJoin('pharmacies as pharmacy', 'pharmacy.id', 'event.pharmacy_id')
        .select([
          'event.id',
          'event.at',
          'event.action',
          'event.outcome',
          'event.role',
          'event.target',
          'event.details',
          'event.changes',
          'event.address',
          'event.request_id as requestId',
          'event.person_id as personId',
          'event.pharmacy_id as pharmacyId',
          'pharmacy.pharmacy_id as pharmacyCode',
          'pharmacy.name as pharmacyName',
        ])
        .select([
          memberName.as('memberName'),
          sql<string | null>`(select email from auth_users where id = event.person_id)`.as('email'),
        ])
        .orderBy('event.at', 'desc')
        .orderBy('event.id', 'desc')
        .limit(limit)
      if (pharmacy !== undefined) query = query.where('event.pharmacy_id', '=', pharmacy)
      if (person !== undefined) query = query.where('event.person_id', '=', person)
      if (action !== undefined) query = query.where('event.action', '=', action)
      if (outcome !== undefined) query = query.where('event.outcome', '=', outcome)
      if (from !== undefined) query = query.where('event.at', '>=', startOf(from, 0))
      if (to !== undefined) query = query.where('event.at', '<', startOf(to, 1))
      if (before !== undefined) {
        const last = db
          .selectFrom('audit_events')
          .select('at')
          .where('id', '=', before)
          .$if(pharmacy !== undefined, (own) => own.where('pharmacy_id', '=', pharmacy ?? ''))
        query = query
          // Uses the index; the next condition handles events at the same time.
          .where('event.at', '<=', last)
          .where(({ eb, or }) => or([eb('event.at', '<', last), eb('event.id', '<', before)]))
      }
      return query.execute()
    },

    /** When the chain of hashes was checked last, and with which result. */
    async lastCheck(): Promise<{ at: string; isIntact: boolean } | null> {
      const row = await db
        .selectFrom('audit_events')
        .select(['at', 'action'])
        .where('action', 'in', ['audit_chain_checked', 'audit_chain_broken'])
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row ? { at: row.at, isIntact: row.action === 'audit_chain_checked' } : null
    },

    pharmacies(): Promise<{ id: string; code: string; name: string }[]> {
      return db
        .selectFrom('pharmacies')
        .select(['id', 'pharmacy_id as code', 'name'])
        .orderBy(sql`lower(name)`)
        .execute()
    },

    /** Administrators, and the people of the pharmacy, also those who have left. */
    async people(pharmacyId: string | undefined) {
      const { rows } = await sql<{ id: string; name: string | null; isAdmin: boolean }>`
        select person.id, coalesce(
          person_name(person.id, ${pharmacyId ?? null}::uuid),
          (select name from pharmacies where id = person.id),
          (select email from auth_users where id = person.id)
        ) as name, bool_or(person.admin) as "isAdmin"
        from (
          select user_id as id, true as admin from admin_users
          union all select id, false from pharmacies where id = ${pharmacyId ?? null}::uuid
          union all select user_id, false from pharmacy_members
            where pharmacy_id = ${pharmacyId ?? null}::uuid
        ) person
        group by person.id order by 3 desc, 2`.execute(db)
      return rows.map(({ name, ...person }) => ({ ...person, name: name ?? person.id }))
    },
  }
}

/** The start of a day in Rome, so many days later. */
function startOf(day: string, later: number) {
  return sql<string>`(${day}::date + ${later}::int)::timestamp at time zone ${ROME}::text`
}
