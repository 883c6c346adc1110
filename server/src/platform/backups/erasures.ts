import { z } from 'zod'
import type { BackupStore } from './backup-store.ts'

const PREFIX = 'erasures/'

/** A pharmacy that was purged. Beside the back-ups, because an older one does not know it. */
const Erasure = z.object({ pharmacyId: z.uuid(), erasedAt: z.iso.datetime({ offset: true }) })
export type Erasure = z.infer<typeof Erasure>

/** Not below `erasures/`, where an earlier version takes every file for a purged pharmacy. */
const CUSTOMERS_PREFIX = 'customer-erasures/'

/** A customer of a pharmacy whose data were erased, by a hash of the telephone number. */
const CustomerErasure = z.object({
  pharmacyId: z.uuid(),
  customerHash: z.string().regex(/^[0-9a-f]{64}$/),
  erasedAt: z.iso.datetime({ offset: true }),
})
export type CustomerErasure = z.infer<typeof CustomerErasure>

/** Can be repeated. */
export async function writeErasure(store: BackupStore, erasure: Erasure): Promise<void> {
  await store.write(PREFIX + erasure.pharmacyId, [Buffer.from(JSON.stringify(erasure))])
}

/** Can be repeated: the latest erasure of a customer counts. */
export async function writeCustomerErasure(
  store: BackupStore,
  erasure: CustomerErasure,
): Promise<void> {
  const name = `${CUSTOMERS_PREFIX}${erasure.pharmacyId}-${erasure.customerHash}`
  await store.write(name, [Buffer.from(JSON.stringify(erasure))])
}

export const readErasures = (store: BackupStore) => readAll(store, PREFIX, Erasure)

export const readCustomerErasures = (store: BackupStore) =>
  readAll(store, CUSTOMERS_PREFIX, CustomerErasure)

async function readAll<T>(store: BackupStore, prefix: string, schema: z.ZodType<T>): Promise<T[]> {
  const erasures: T[] = []
  for (const name of (await store.list(prefix)).keys()) {
    const json: unknown = JSON.parse((await store.readAll(name)).toString())
    erasures.push(schema.parse(json))
  }
  return erasures
}

/** Removes erasures from before the oldest back-up, which no back-up can undo. */
export async function removeErasures(store: BackupStore, before: number): Promise<void> {
  for (const prefix of [PREFIX, CUSTOMERS_PREFIX]) {
    for (const stored of (await store.list(prefix)).values()) {
      if (stored.modifiedAt < before) await store.remove(stored)
    }
  }
}
