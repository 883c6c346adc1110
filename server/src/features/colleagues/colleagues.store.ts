import { Role } from '@bancone/contract/access'
import { type Colleague, MAX_COLLEAGUES } from '@bancone/contract/colleagues'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../database/row-limit.ts'

/** A colleague, independent of the requesting user. */
export type Person = Omit<Colleague, 'isYou'> & { userId: string }

export type NewMember = { userId: string; name: string; role: Role; invitedBy: string }

export type ColleaguesStore = ReturnType<typeof createColleaguesStore>

/** The only writer of `pharmacy_members`. */
export function createColleaguesStore(db: Database) {
  const members = (pharmacyId: string) =>
    db
      .selectFrom('pharmacy_members as member')
      .innerJoin('auth_users as user', 'user.id', 'member.user_id')
      .select(['member.id', 'member.role', 'member.invited_at as invitedAt'])
      .select(['user.id as userId', 'user.email', 'user.last_sign_in_at as lastSignInAt'])
      .select(sql<boolean>`"user".email_confirmed_at is not null`.as('hasJoined'))
      .select(sql<string>`person_name("user".id, member.pharmacy_id)`.as('name'))
      .select(hasFactor)
      .where('member.pharmacy_id', '=', pharmacyId)
      .where('member.removed_at', 'is', null)

  return {
    async pharmacyName(pharmacyId: string): Promise<string> {
      const { name } = await db
        .selectFrom('pharmacies')
        .select('name')
        .where('id', '=', pharmacyId)
        .executeTakeFirstOrThrow()
      return name
    },

    /** The pharmacy's own account. */
    async primary(pharmacyId: string): Promise<Person> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .innerJoin('auth_users as user', 'user.id', 'pharmacy.id')
        .select(['user.id', 'user.id as userId', 'user.email'])
        .select('user.last_sign_in_at as lastSignInAt')
        .select(
          sql<string>`coalesce(person_name("user".id, pharmacy.id), pharmacy.name)`.as('name'),
        )
        .select(hasFactor)
        .where('pharmacy.id', '=', pharmacyId)
        .executeTakeFirstOrThrow()
      const own = { role: 'owner', invitedAt: null, hasJoined: true }
      return { ...person({ ...row, ...own }), isPrimary: true }
    },

    async list(pharmacyId: string): Promise<Person[]> {
      return (await members(pharmacyId).execute()).map(person)
    },

    /** @throws AppError `colleagues.not_found` */
    async find(pharmacyId: string, memberId: string): Promise<Person> {
      const row = await members(pharmacyId)
        .where('member.id', '=', memberId)
        .executeTakeFirstOrThrow(() => new AppError('colleagues.not_found'))
      return person(row)
    },

    /** Whether the user is an owner of the pharmacy. Locks the membership until the transaction ends. */
    async isStillOwner(pharmacyId: string, userId: string): Promise<boolean> {
      await lockPharmacy(db, pharmacyId)
      if (userId === pharmacyId) return true
      const row = await db
        .selectFrom('pharmacy_members')
        .select('id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('user_id', '=', userId)
        .where('role', '=', 'owner' satisfies Role)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

    /** @returns the id of the membership @throws AppError `colleagues.too_many` */
    async insert(pharmacyId: string, member: NewMember): Promise<string> {
      // Serialized by a lock, or concurrent inserts would exceed the limit.
      await lockPharmacy(db, pharmacyId)
      await requireRoom({
        rows: db
          .selectFrom('pharmacy_members')
          .where('pharmacy_id', '=', pharmacyId)
          .where('removed_at', 'is', null),
        max: MAX_COLLEAGUES,
        code: 'colleagues.too_many',
      })
      const { userId, name, role, invitedBy } = member
      const { id } = await db
        .insertInto('pharmacy_members')
        .values({ pharmacy_id: pharmacyId, user_id: userId, name, role, invited_by: invitedBy })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /**
     * Name and role of a member, whose membership is locked until the transaction ends.
     *
     * @throws AppError `colleagues.not_found` when they do not belong to the pharmacy any more
     */
    async lock(pharmacyId: string, memberId: string): Promise<{ name: string; role: Role }> {
      const row = await db
        .selectFrom('pharmacy_members')
        .select('role')
        .select(sql<string>`coalesce(seen_name(name), name)`.as('name'))
        .where('id', '=', memberId)
        .where('pharmacy_id', '=', pharmacyId)
        .where('removed_at', 'is', null)
        .forUpdate()
        .executeTakeFirstOrThrow(() => new AppError('colleagues.not_found'))
      return { name: row.name, role: Role.parse(row.role) }
    },

    async update(
      pharmacyId: string,
      memberId: string,
      change: { name?: string; role?: Role; invitedNow?: true },
    ): Promise<void> {
      const { invitedNow, ...plain } = change
      await db
        .updateTable('pharmacy_members')
        .set({ ...plain, ...(invitedNow && { invited_at: sql<string>`now()` }) })
        .where('id', '=', memberId)
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    /** Ends the membership; the account stays. */
    async leave(pharmacyId: string, memberId: string): Promise<void> {
      await db
        .updateTable('pharmacy_members')
        .set({
          removed_at: sql<string>`now()`,
          name: sql<string>`person_name(user_id, pharmacy_id)`,
        })
        .where('id', '=', memberId)
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },
  }
}

/**
 * A deleted account works nowhere any more; what it did keeps its last name. With the own account of a pharmacy goes the
 * pharmacy, and with that go the accounts of those who worked there.
 *
 * @param tx the transaction that deletes the account
 */
export async function endMemberships(tx: Database, userId: string, { soft }: { soft: boolean }) {
  await sql`
    update pharmacy_members member
    set removed_at = now(), name = coalesce(own_name("user".user_metadata), member.name)
    from auth_users "user"
    where member.user_id = ${userId} and member.removed_at is null and "user".id = member.user_id`.execute(
    tx,
  )
  if (!soft) await closeColleagues(tx, userId)
}

/**
 * Deletes the accounts of those who work at a pharmacy, which lead nowhere without it, so that their addresses are free. That
 * of an administrator leads elsewhere.
 *
 * @param tx the transaction that deletes the pharmacy
 */
export async function closeColleagues(tx: Database, pharmacyId: string): Promise<void> {
  // An invitation that is being written is either there afterwards, or is refused.
  await lockPharmacy(tx, pharmacyId)
  await sql`
    delete from auth_users where id in (
      select user_id from pharmacy_members where pharmacy_id = ${pharmacyId} and removed_at is null
      except select user_id from admin_users
    )`.execute(tx)
}

const hasFactor = sql<boolean>`exists (
  select from auth_factors where user_id = "user".id and status = 'verified'
)`.as('secondFactor')

type Row = Omit<Person, 'email' | 'role' | 'isPrimary'> & { email: string | null; role: string }

function person({ email, role, ...row }: Row): Person {
  return { ...row, email: email ?? '', role: Role.parse(role), isPrimary: false }
}
