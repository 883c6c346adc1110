import type pg from 'pg'
import { z } from 'zod'
import type { BackupStore } from './backup-store.ts'

/** Rows of each table that are counted. */
export type RowCounts = Record<string, number>

export async function databaseFacts(client: pg.Client) {
  const { rows } = await client.query<{ system: string; major: number; name: string }>(
    `select (select system_identifier::text from pg_control_system()) as system,
       current_setting('server_version_num')::int / 10000 as major, current_database() as name`,
  )
  const [facts] = rows
  if (!facts) throw new Error('facts are one row')
  return facts
}

export async function countRows(client: pg.Client, tables: readonly string[]): Promise<RowCounts> {
  const counts: RowCounts = {}
  for (const table of tables) {
    const { rows } = await client.query<{ rows: number }>(
      `select count(*)::int as rows from ${client.escapeIdentifier(table)}`,
    )
    counts[table] = rows[0]?.rows ?? 0
  }
  return counts
}

/**
 * The stored files that rows refer to: the names of the two stores, and the keys in them.
 *
 * @param where an SQL condition for the rows of each store; all of them without it
 */
export async function* storedFileKeys(
  client: pg.Client,
  where: { images?: string | undefined; files?: string | undefined } = {},
): AsyncGenerator<{ folder: 'images' | 'files'; key: string }> {
  for (const [folder, table] of [
    ['images', 'order_image_files'],
    ['files', 'stored_files'],
  ] as const) {
    let after = ''
    for (;;) {
      const { rows } = await client.query<{ key: string }>(
        `select key from ${table} where key > $1 and (${where[folder] ?? 'true'}) order by key limit 1000`,
        [after],
      )
      for (const { key } of rows) yield { folder, key }
      const last = rows.at(-1)
      if (!last) break
      after = last.key
    }
  }
}

const PREFIX = 'erasures/'

/** A pharmacy that was purged. Beside the back-ups, because an older one does not know it. */
const Erasure = z.object({ pharmacyId: z.uuid(), erasedAt: z.iso.datetime({ offset: true }) })
type Erasure = z.infer<typeof Erasure>

/** Not below `erasures/`, where an earlier version takes every file for a purged pharmacy. */
const CUSTOMERS_PREFIX = 'customer-erasures/'

/** A customer of a pharmacy whose data were erased, by a hash of the telephone number. */
const CustomerErasure = z.object({
  pharmacyId: z.uuid(),
  customerHash: z.string().regex(/^[0-9a-f]{64}$/),
  erasedAt: z.iso.datetime({ offset: true }),
})
type CustomerErasure = z.infer<typeof CustomerErasure>

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
