import { resolveFeatures } from '@bancone/contract/access'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Account, SessionPharmacy } from '../../http/session.ts'

export type NewPharmacy = {
  id: string
  pharmacyId: string
  name: string
  email: string
  phone: string | null
  address: string | null
  features: readonly string[]
  airtable: { baseId: string; tableId: string } | null
}

export type PharmaciesStore = ReturnType<typeof createPharmaciesStore>

/** The only writer of `pharmacies`. */
export function createPharmaciesStore(db: Database) {
  return {
    /** Who a signed-in user is: an administrator, a pharmacy, both or neither; undefined when gone. */
    async account(userId: string): Promise<Account | undefined> {
      const row = await db
        .selectFrom('auth_users as user')
        .leftJoin('pharmacies as pharmacy', 'pharmacy.id', 'user.id')
        .leftJoin('admin_users as admin', 'admin.user_id', 'user.id')
        .select([
          'pharmacy.id',
          'pharmacy.is_active',
          'pharmacy.features_enabled',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.use_supabase_orders',
          'admin.user_id as admin_id',
        ])
        .where('user.id', '=', userId)
        .executeTakeFirst()
      if (!row) return undefined
      const { id } = row
      return {
        userId,
        isAdmin: row.admin_id !== null,
        pharmacy: id === null ? null : sessionPharmacy({ ...row, id }),
      }
    },

    /** A pharmacy as a session of it knows it; undefined when it is gone. */
    async ofSession(pharmacyId: string): Promise<SessionPharmacy | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'is_active', 'features_enabled'])
        .select(['airtable_base_id', 'airtable_table_id', 'use_supabase_orders'])
        .where('id', '=', pharmacyId)
        .executeTakeFirst()
      return row && sessionPharmacy(row)
    },

    /** Whose orders are asked for by id or by code, whatever its case; undefined when there is none. */
    async orderOwner(
      named: string,
    ): Promise<Pick<SessionPharmacy, 'id' | 'orderSource'> | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'airtable_base_id', 'airtable_table_id', 'use_supabase_orders'])
        .where((is) =>
          is.or([
            is(sql`id::text`, '=', named),
            is(sql`upper(pharmacy_id)`, '=', named.toUpperCase()),
          ]),
        )
        .executeTakeFirst()
      return row && { id: row.id, orderSource: orderSource(row) }
    },

    async own(pharmacyId: string): Promise<OwnPharmacy | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'pharmacy_id', 'name', 'email', 'phone', 'logo_url', 'features_enabled'])
        .where('id', '=', pharmacyId)
        .executeTakeFirst()
      return (
        row && {
          id: row.id,
          pharmacyId: row.pharmacy_id,
          name: row.name,
          email: row.email,
          phone: row.phone,
          logoUrl: row.logo_url,
          features: resolveFeatures(row.features_enabled),
        }
      )
    },

    async insert(pharmacy: NewPharmacy): Promise<void> {
      await db
        .insertInto('pharmacies')
        .values({
          id: pharmacy.id,
          pharmacy_id: pharmacy.pharmacyId,
          name: pharmacy.name,
          email: pharmacy.email,
          phone: pharmacy.phone,
          address: pharmacy.address,
          features_enabled: JSON.stringify(pharmacy.features),
          airtable_base_id: pharmacy.airtable?.baseId ?? null,
          airtable_table_id: pharmacy.airtable?.tableId ?? null,
          use_supabase_orders: pharmacy.airtable === null,
        })
        .execute()
    },
  }
}

type SourceColumns = {
  airtable_base_id: string | null
  airtable_table_id: string | null
  use_supabase_orders: boolean | null
}

function sessionPharmacy(
  row: SourceColumns & { id: string; is_active: boolean | null; features_enabled: unknown },
): SessionPharmacy {
  return {
    id: row.id,
    isActive: row.is_active === true,
    features: resolveFeatures(row.features_enabled),
    orderSource: orderSource(row),
  }
}

/** Where the orders are kept: in Airtable, if both of its ids are there and the switch is not set. */
function orderSource(row: SourceColumns): SessionPharmacy['orderSource'] {
  const { airtable_base_id: baseId, airtable_table_id: tableId } = row
  return !row.use_supabase_orders && baseId && tableId ? { baseId, tableId } : null
}
