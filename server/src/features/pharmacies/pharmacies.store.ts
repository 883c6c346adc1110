import { type Feature, Role, resolveFeatures } from '@bancone/contract/access'
import type { OrdersPhase } from '@bancone/contract/orders-migration'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { sql } from 'kysely'
import { z } from 'zod'
import { isActiveAccount } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'
import { sourceLocation } from '../../database/on-airtable.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import type { Account, SessionPharmacy } from '../../http/session.ts'
import type { Audit } from '../../platform/audit.ts'

/** A pharmacy with what its public pages need. */
export type PublicPharmacyRow = {
  id: string
  code: string
  name: string
  phone: string | null
  address: string | null
  logoUrl: string | null
  /** Null for any number. */
  maxOffers: number | null
  isActive: boolean
  features: readonly Feature[]
}

export type PharmaciesStore = ReturnType<typeof createPharmaciesStore>

/** The pharmacies as their users, their customers and other features see them. Deleted ones are hidden. */
export function createPharmaciesStore(db: Database) {
  return {
    /**
     * Role of a signed-in user: administrator, pharmacy, both or neither; undefined when the account is gone or
     * closed.
     */
    async account(userId: string): Promise<Account | undefined> {
      const row = await db
        .selectFrom('auth_users as user')
        .leftJoin('pharmacy_members as member', (join) =>
          join.onRef('member.user_id', '=', 'user.id').on('member.removed_at', 'is', null),
        )
        // The pharmacy whose account it is, or at which the user works.
        .leftJoin('pharmacies as pharmacy', (join) =>
          join
            .on('pharmacy.id', '=', (is) => is.fn.coalesce('member.pharmacy_id', 'user.id'))
            .on('pharmacy.deleted_at', 'is', null),
        )
        .leftJoin('auth_users as own', 'own.id', 'pharmacy.id')
        .leftJoin('admin_users as admin', 'admin.user_id', 'user.id')
        .select([
          'pharmacy.id',
          'pharmacy.is_active',
          'pharmacy.features_enabled',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
          'member.role',
          'admin.user_id as admin_id',
        ])
        .select(isActiveAccount('own').as('has_owner'))
        .where('user.id', '=', userId)
        .where('user.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      const { id } = row
      // Colleagues have no access while the pharmacy's own account is closed or blocked.
      const is_active = row.is_active === true && row.has_owner
      return {
        userId,
        isAdmin: row.admin_id !== null,
        pharmacy:
          id === null
            ? null
            : {
                ...sessionPharmacy({ ...row, id, is_active }),
                role: roleOf({ ...row, id }, userId),
              },
      }
    },

    /** The pharmacy of a session; undefined when it does not exist. */
    async ofSession(pharmacyId: string): Promise<SessionPharmacy | undefined> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .select(['id', 'is_active', 'features_enabled'])
        .select(['airtable_base_id', 'airtable_table_id', 'orders_phase'])
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && sessionPharmacy(row)
    },

    /** The pharmacy of an order request, by id or by code regardless of case; undefined when it does not exist. */
    async orderOwner(named: string) {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'airtable_base_id', 'airtable_table_id', 'orders_phase'])
        .where((is) =>
          is.or([
            is(sql`id::text`, '=', named),
            is(sql`upper(pharmacy_id)`, '=', named.toUpperCase()),
          ]),
        )
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && { id: row.id, ...orderSources(row) }
    },

    /** By its code, regardless of case; undefined when it does not exist. */
    async publicByCode(code: string): Promise<PublicPharmacyRow | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'pharmacy_id as code', 'name', 'phone', 'address', 'logo_url as logoUrl'])
        .select(['max_offers as maxOffers', 'is_active as isActive', 'features_enabled'])
        .where(sql`upper(pharmacy_id)`, '=', sql`upper(${code})`)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      const { features_enabled, ...pharmacy } = row
      return { ...pharmacy, features: resolveFeatures(features_enabled) }
    },

    /** The readable code; undefined when the pharmacy does not exist. */
    async code(pharmacyId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select('pharmacy_id')
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row?.pharmacy_id
    },

    /** A pharmacy as shown to its own users. */
    async own(pharmacyId: string, userId: string): Promise<OwnPharmacy | undefined> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('pharmacy_members as member', (join) =>
          join
            .onRef('member.pharmacy_id', '=', 'pharmacy.id')
            .on('member.user_id', '=', userId)
            .on('member.removed_at', 'is', null),
        )
        .leftJoin('pharmacy_profiles as profile', 'profile.pharmacy_id', 'pharmacy.id')
        .leftJoin('subscription_plans as plan', 'plan.id', 'pharmacy.subscription_plan_id')
        .select(['pharmacy.id', 'pharmacy.pharmacy_id as pharmacyCode', 'pharmacy.name'])
        .select(['pharmacy.email', 'phone', 'address', 'logo_url as logoUrl', 'member.role'])
        .select(['brand_color as brandColor', 'pharmacy.features_enabled'])
        .select(['plan_valid_until as planValidUntil', 'plan.name as planName'])
        .select(sql<string | null>`person_name(${userId}, pharmacy.id)`.as('personName'))
        .where('pharmacy.id', '=', pharmacyId)
        .where('pharmacy.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row) return undefined
      const { features_enabled, ...own } = row
      return { ...own, features: resolveFeatures(features_enabled), role: roleOf(row, userId) }
    },

    /** A trigger releases the picture that was the logo before. */
    async setLogo(pharmacyId: string, url: string | null): Promise<void> {
      await db
        .updateTable('pharmacies')
        .set({ logo_url: url })
        .where('id', '=', pharmacyId)
        .execute()
    },
  }
}

/** The owner's account has the pharmacy's id. */
function roleOf(row: { id: string; role: string | null }, userId: string): Role {
  return row.id === userId ? 'owner' : z.catch(Role, 'staff').parse(row.role)
}

type SourceColumns = Parameters<typeof sourceLocation>[0]

function sessionPharmacy(
  row: SourceColumns & {
    id: string
    is_active: boolean | null
    features_enabled: unknown
  },
): SessionPharmacy {
  return {
    id: row.id,
    isActive: row.is_active === true,
    features: resolveFeatures(row.features_enabled),
    ...orderSources(row),
  }
}

/** In the phase `database` the orders are exchanged with Airtable, but no page waits for it. */
function orderSources(row: SourceColumns): Pick<SessionPharmacy, 'orderSource' | 'pageSource'> {
  const location = sourceLocation(row)
  return { orderSource: location, pageSource: row.orders_phase === 'database' ? null : location }
}

/**
 * Moves the orders of a pharmacy to another phase of the migration, and records it. Triggers notify all processes.
 *
 * @param tx a transaction, which locks the pharmacy until its end
 * @returns false when the pharmacy is not in the phase `from` any more
 */
export async function moveOrdersPhase(
  tx: Database,
  audit: Pick<Audit, 'recordChange'>,
  pharmacyId: string,
  { from, to, reason }: { from: OrdersPhase; to: OrdersPhase; reason?: string | undefined },
): Promise<boolean> {
  await lockPharmacy(tx, pharmacyId)
  const { numUpdatedRows } = await tx
    .updateTable('pharmacies')
    .set({ orders_phase: to, updated_at: sql<string>`now()` })
    .where('id', '=', pharmacyId)
    .where('orders_phase', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await audit.recordChange(tx, {
    action: 'orders_phase_changed',
    pharmacyId,
    target: { type: 'pharmacy', id: pharmacyId },
    before: { orders_phase: from },
    after: { orders_phase: to },
    ...(reason !== undefined && { details: { reason } }),
  })
  return true
}
