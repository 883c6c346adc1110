import { randomUUID } from 'node:crypto'
import type { Database } from '../src/database/database.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import type { SourceLocation } from '../src/ports/order-source.ts'
import type { TestDatabase } from './database.ts'

type NewPharmacy = {
  id: string
  pharmacyCode: string
  name: string
  email: string
  phone: string | null
  address: string | null
  features: readonly string[]
  airtable: { baseId: string; tableId: string } | null
}

/** The pharmacy of an account, which exists. */
export async function insertPharmacy(db: Database, { airtable, ...pharmacy }: NewPharmacy) {
  await db
    .insertInto('pharmacies')
    .values({
      id: pharmacy.id,
      pharmacy_id: pharmacy.pharmacyCode,
      name: pharmacy.name,
      email: pharmacy.email,
      phone: pharmacy.phone,
      address: pharmacy.address,
      features_enabled: JSON.stringify(pharmacy.features),
      airtable_base_id: airtable?.baseId ?? null,
      airtable_table_id: airtable?.tableId ?? null,
      use_supabase_orders: airtable === null,
    })
    .execute()
}

/** A pharmacy that cannot sign in, for tests without HTTP. @returns its id */
export async function addPharmacyRow(
  { db }: TestDatabase,
  airtable: SourceLocation | null,
): Promise<string> {
  const code = randomUUID()
  const email = `${code}@example.it`
  const user = await createAuthStore(db).users.insert({
    email,
    passwordHash: null,
    confirmed: true,
  })
  if (!user) throw new Error(`${email} is taken`)
  await insertPharmacy(db, {
    id: user.id,
    pharmacyCode: code,
    name: 'Farmacia',
    email,
    phone: null,
    address: null,
    features: [],
    airtable,
  })
  return user.id
}
