import { randomUUID } from 'node:crypto'
import { createPharmaciesStore } from '../src/features/pharmacies/pharmacies.store.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import type { SourceLocation } from '../src/ports/order-source.ts'
import type { TestDatabase } from './database.ts'

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
  await createPharmaciesStore(db).insert({
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
