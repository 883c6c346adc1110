import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violates } from '../../database/errors.ts'
import type { Place } from './names.ts'
import { StorageError } from './storage-error.ts'

/** An object as it is kept. Times are ISO 8601. */
export type StoredObject = {
  id: string
  bucket_id: string
  name: string
  owner: string | null
  file_key: string
  /** Another one for another content. */
  version: string
  size: number
  content_type: string
  cache_control: string
  content_encoding: string | null
  etag: string
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}

/** What an upload brings. */
export type NewContent = Pick<
  StoredObject,
  | 'owner'
  | 'file_key'
  | 'size'
  | 'content_type'
  | 'cache_control'
  | 'content_encoding'
  | 'etag'
  | 'metadata'
>

/** Whether it is put only where nothing is, or in the place of something as well. */
export type Where = 'empty' | 'any'

export type ObjectsStore = ReturnType<typeof createObjectsStore>

/** What one folder may have, in all buckets together. */
export type Quota = {
  quotaBytes: number
  /** Objects, however small: each is a file and some rows. */
  quotaObjects: number
}

/** The only writer of `storage_objects`. */
export function createObjectsStore(db: Database, { quotaBytes, quotaObjects }: Quota) {
  /** One after the other, or together they would be more than there may be. */
  async function lockFolder(tx: Database, name: string): Promise<void> {
    const lock = `storage folder ${folderOf(name)}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)
  }

  /** @throws StorageError `EntityTooLarge` when the folder of that name has no room for it */
  async function mustFit(
    name: string,
    bytes: number,
    replaced: StoredObject | undefined,
    within = db,
  ): Promise<void> {
    const { size, objects } = await within
      .selectFrom('storage_objects')
      .select((is) => [
        is.fn.coalesce(is.fn.sum<string>('size'), sql<string>`0`).as('size'),
        is.fn.countAll<string>().as('objects'),
      ])
      .where('folder', '=', folderOf(name))
      .executeTakeFirstOrThrow()
    const isFull = !replaced && Number(objects) >= quotaObjects
    if (!isFull && Number(size) - (replaced?.size ?? 0) + bytes <= quotaBytes) return
    throw new StorageError('EntityTooLarge', { message: 'The storage quota has been exceeded' })
  }

  async function find({ bucket, name }: Place, within = db): Promise<StoredObject | undefined> {
    const row = await within
      .selectFrom('storage_objects')
      .select(columns)
      .where('bucket_id', '=', bucket)
      .where('name', '=', name)
      .executeTakeFirst()
    return row && toObject(row)
  }

  return {
    find,
    mustFit,

    /** @returns the names of those that are there */
    async findMany(bucket: string, names: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('storage_objects')
        .select('name')
        .where('bucket_id', '=', bucket)
        .where('name', 'in', [...names])
        .execute()
      return rows.map((row) => row.name)
    },

    /**
     * Writes an object that has its file already.
     *
     * @returns it, and the file of what it replaced
     * @throws StorageError `KeyAlreadyExists`, `EntityTooLarge`, `NoSuchBucket`
     */
    put({ bucket, name }: Place, content: NewContent, where: Where) {
      const written = db.transaction().execute(async (tx) => {
        await lockFolder(tx, name)
        const before = await find({ bucket, name }, tx)
        if (before && where === 'empty') throw new StorageError('KeyAlreadyExists')
        await mustFit(name, content.size, before, tx)
        const values = {
          ...content,
          metadata: content.metadata && JSON.stringify(content.metadata),
        }
        const row = await tx
          .insertInto('storage_objects')
          .values({ bucket_id: bucket, name, ...values })
          .onConflict((conflict) =>
            conflict.constraint('storage_objects__name_taken').doUpdateSet({
              ...values,
              version: sql<string>`gen_random_uuid()`,
              updated_at: sql<string>`now()`,
              last_accessed_at: sql<string>`now()`,
            }),
          )
          .returning(columns)
          .executeTakeFirstOrThrow()
        return { object: toObject(row), replaced: before?.file_key }
      })
      return known(written)
    },

    /**
     * Gives an object another place.
     *
     * @returns undefined when there is none
     * @throws StorageError `KeyAlreadyExists`, `EntityTooLarge`, `NoSuchBucket`
     */
    move(from: Place, to: Place): Promise<StoredObject | undefined> {
      const moved = db.transaction().execute(async (tx) => {
        await lockFolder(tx, to.name)
        const before = await find(from, tx)
        if (!before) return undefined
        const isElsewhere = folderOf(from.name) !== folderOf(to.name)
        if (isElsewhere) await mustFit(to.name, before.size, undefined, tx)
        const row = await tx
          .updateTable('storage_objects')
          .set({ bucket_id: to.bucket, name: to.name, updated_at: sql<string>`now()` })
          .where('id', '=', before.id)
          .where('bucket_id', '=', from.bucket)
          .where('name', '=', from.name)
          .returning(columns)
          .executeTakeFirst()
        return row && toObject(row)
      })
      return known(moved)
    },

    /** @returns those that were there */
    async remove(bucket: string, names: readonly string[]): Promise<StoredObject[]> {
      const rows = await db
        .deleteFrom('storage_objects')
        .where('bucket_id', '=', bucket)
        .where('name', 'in', [...names])
        .returning(columns)
        .execute()
      return rows.map(toObject)
    },

    /**
     * Takes some out of a bucket that were there at that time, ISO 8601.
     * @returns their files; fewer than `most` when there are no more
     */
    async takeOut(bucket: string, before: string, most: number): Promise<string[]> {
      const rows = await db
        .deleteFrom('storage_objects')
        .where('id', 'in', (some) =>
          some
            .selectFrom('storage_objects')
            .select('id')
            .where('bucket_id', '=', bucket)
            // What was replaced or moved there since is younger than its making says.
            .where('updated_at', '<=', before)
            .limit(most),
        )
        .returning('file_key')
        .execute()
      return rows.map((row) => row.file_key)
    },

    /** The time by which all is that is there now, as the database has it: ISO 8601, to the millisecond. */
    async now(): Promise<string> {
      const { rows } = await sql<{ now: string }>`select now() + interval '1 ms' as now`.execute(db)
      return rows[0]?.now ?? ''
    },
  }
}

export const columns = [
  'id',
  'bucket_id',
  'name',
  'owner',
  'file_key',
  'version',
  'size',
  'content_type',
  'cache_control',
  'content_encoding',
  'etag',
  'metadata',
  'created_at',
  'updated_at',
  'last_accessed_at',
] as const

type Row = Omit<StoredObject, 'size' | 'metadata'> & { size: string; metadata: unknown }

export function toObject({ size, metadata, ...row }: Row): StoredObject {
  return { ...row, size: Number(size), metadata: isRecord(metadata) ? metadata : null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The first of its names, as the column `folder` has it: what a quota is for. */
export function folderOf(name: string): string {
  return name.split('/', 1)[0] ?? ''
}

/** @throws StorageError for what the database refused */
async function known<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    if (violates(error, 'storage_objects__name_taken')) throw new StorageError('KeyAlreadyExists')
    if (violates(error, 'storage_objects_bucket_id_fkey')) throw new StorageError('NoSuchBucket')
    throw error
  }
}
