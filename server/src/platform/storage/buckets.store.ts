import { type Selectable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { StorageBuckets } from '../../database/schema.gen.ts'
import { StorageError } from './storage-error.ts'

/** A bucket in the protocol's format. Times are ISO 8601, sizes are in bytes. */
export type Bucket = Omit<Selectable<StorageBuckets>, 'owner' | 'file_size_limit'> & {
  owner: string
  file_size_limit: number | null
}

export type BucketRules = Pick<Bucket, 'public' | 'file_size_limit' | 'allowed_mime_types'>

export type BucketPage = {
  limit: number
  offset: number
  search: string
  column: 'id' | 'name' | 'created_at' | 'updated_at'
  order: 'asc' | 'desc'
}

export type BucketsStore = ReturnType<typeof createBucketsStore>

/** The only writer of `storage_buckets`. */
export function createBucketsStore(db: Database) {
  return {
    async find(id: string): Promise<Bucket | undefined> {
      const row = await db
        .selectFrom('storage_buckets')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toBucket(row)
    },

    async list({ limit, offset, search, column, order }: BucketPage): Promise<Bucket[]> {
      const rows = await db
        .selectFrom('storage_buckets')
        .selectAll()
        .where(sql<boolean>`strpos(lower(name), lower(${search})) > 0`)
        .orderBy(column, order)
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(toBucket)
    },

    /** @throws StorageError `BucketAlreadyExists` */
    async insert(id: string, owner: string | null, rules: BucketRules): Promise<void> {
      const row = await db
        .insertInto('storage_buckets')
        .values({ id, name: id, owner, ...rules })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!row) throw new StorageError('BucketAlreadyExists')
    },

    /** @throws StorageError `NoSuchBucket` */
    async update(id: string, rules: Partial<BucketRules>): Promise<void> {
      const row = await db
        .updateTable('storage_buckets')
        .set({ ...rules, updated_at: sql<string>`now()` })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      if (!row) throw new StorageError('NoSuchBucket')
    },

    /** @throws StorageError `NoSuchBucket`, `ResourceNotEmpty` */
    async delete(id: string): Promise<void> {
      const row = await db
        .deleteFrom('storage_buckets')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
        .catch((error: unknown) => {
          const isUsed = violatesConstraint(error, 'storage_objects_bucket_id_fkey')
          throw isUsed ? new StorageError('ResourceNotEmpty') : error
        })
      if (!row) throw new StorageError('NoSuchBucket')
    },
  }
}

function toBucket({ owner, file_size_limit: limit, ...row }: Selectable<StorageBuckets>): Bucket {
  return { ...row, owner: owner ?? '', file_size_limit: limit === null ? null : Number(limit) }
}
