import { type Medicine, SupplyClass } from '@bancone/contract/medicines'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'

const BATCH = 1_000

export type MedicineImport = { importedAt: string; packs: number }

/** The only writer of `medicines` and `medicine_imports`. */
export function createMedicinesStore(db: Database) {
  return {
    async find(code: string): Promise<Medicine | null> {
      const row = await db
        .selectFrom('medicines')
        .select(['code', 'name', 'pack', 'supply', 'is_authorised'])
        .where('code', '=', code)
        .executeTakeFirst()
      if (!row) return null
      const { is_authorised: authorised, ...medicine } = row
      return { ...medicine, supply: z.nullable(SupplyClass).parse(row.supply), authorised }
    },

    /** Of the register that is in use. */
    async lastImport(): Promise<MedicineImport | undefined> {
      return db
        .selectFrom('medicine_imports')
        .select(['imported_at as importedAt', 'packs'])
        .orderBy('imported_at', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /**
     * Replaces the register in one transaction. Rows that are the same are not written.
     *
     * @param isAcceptable called with the number of packs; otherwise nothing is changed
     * @returns the number of packs that were read
     */
    async replace(packs: AsyncIterable<Medicine>, isAcceptable: (count: number) => boolean) {
      const batches = inBatches(packs)
      // The first batch waits for the download, which a transaction must not be open for.
      let batch = await batches.next()
      try {
        return await db.transaction().execute(async (tx) => {
          await sql`create temporary table read_medicines (like medicines) on commit drop`.execute(
            tx,
          )
          for (; !batch.done; batch = await batches.next()) {
            await sql`insert into read_medicines
              select code, name, pack, supply, authorised from jsonb_to_recordset(${JSON.stringify(batch.value)}::jsonb)
                as (code text, name text, pack text, supply text, authorised boolean)`.execute(tx)
          }
          const { rows } = await sql<{ count: number }>`
            select count(distinct code)::integer as count from read_medicines`.execute(tx)
          const [{ count } = { count: 0 }] = rows
          if (!isAcceptable(count)) return { count, isAccepted: false }
          await sql`delete from medicines
            where not exists (select from read_medicines read where read.code = medicines.code)`.execute(
            tx,
          )
          await sql`insert into medicines
            select distinct on (code) * from read_medicines order by code, is_authorised desc
            on conflict (code) do update set
              name = excluded.name, pack = excluded.pack, supply = excluded.supply,
              is_authorised = excluded.is_authorised
            where (medicines.name, medicines.pack, medicines.supply, medicines.is_authorised)
              is distinct from (excluded.name, excluded.pack, excluded.supply, excluded.is_authorised)`.execute(
            tx,
          )
          await tx.insertInto('medicine_imports').values({ packs: count }).execute()
          return { count, isAccepted: true }
        })
      } finally {
        // Ends the reading also when the database fails.
        await batches.return(undefined)
      }
    },
  }
}

async function* inBatches(packs: AsyncIterable<Medicine>): AsyncGenerator<Medicine[], undefined> {
  let batch: Medicine[] = []
  for await (const pack of packs) {
    batch.push(pack)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
