import { type Selectable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { StorageObjects } from '../../database/schema.gen.ts'
import type { ObjectLocation } from './names.ts'
import { StorageError } from './storage-error.ts'

/** An object's row. Times are ISO 8601; `version` changes with the content. */
export type StoredObject = Omit<
  Selectable<StorageObjects>,
  'folder' | 'parent' | 'size' | 'metadata'
> & { size: number; metadata: Record<string, unknown> | null }

/** The properties of a new content. */
export type NewContent = Omit<
  StoredObject,
  'id' | 'bucket_id' | 'name' | 'version' | 'created_at' | 'updated_at' | 'last_accessed_at'
>

/** `insert` fails when the object exists; `upsert` replaces it. */
export type WriteMode = 'insert' | 'upsert'

export type ObjectsStore = ReturnType<typeof createObjectsStore>

/** The quota of a top-level folder, over all buckets. */
export type Quota = {
  quotaBytes: number
  /** The maximum number of objects: even an empty one takes a file and rows. */
  quotaObjects: number
}

/** The only writer of `storage_objects`. */
export function createObjectsStore(db: Database, { quotaBytes, quotaObjects }: Quota) {
  /** Serializes the writers of a folder, because the quota is checked before the insert. */
  async function lockFolder(tx: Database, name: string): Promise<void> {
    const lock = `storage folder ${folderOf(name)}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)
  }

  /** @throws StorageError `EntityTooLarge` when the quota of the object's folder is exceeded */
  async function checkQuota(
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

  async function find(
    { bucket, name }: ObjectLocation,
    within = db,
  ): Promise<StoredObject | undefined> {
    const row = await within
      .selectFrom('storage_objects')
      .selectAll()
      .where('bucket_id', '=', bucket)
      .where('name', '=', name)
      .executeTakeFirst()
    return row && toObject(row)
  }

  return {
    find,
    checkQuota,

    /** @returns those of the names that exist */
    async existingNames(bucket: string, names: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('storage_objects')
        .select('name')
        .where('bucket_id', '=', bucket)
        .where('name', 'in', [...names])
        .execute()
      return rows.map((row) => row.name)
    },

    /**
     * Writes the row of an object whose file is stored.
     *
     * @returns the object, and the file key of the replaced one
     * @throws StorageError `KeyAlreadyExists`, `EntityTooLarge`, `NoSuchBucket`
     */
    put({ bucket, name }: ObjectLocation, content: NewContent, mode: WriteMode) {
      const written = db.transaction().execute(async (tx) => {
        await lockFolder(tx, name)
        const before = await find({ bucket, name }, tx)
        if (before && mode === 'insert') throw new StorageError('KeyAlreadyExists')
        await checkQuota(name, content.size, before, tx)
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
          .returningAll()
          .executeTakeFirstOrThrow()
        return { object: toObject(row), replaced: before?.file_key }
      })
      return translateViolations(written)
    },

    /**
     * Renames an object.
     *
     * @throws StorageError `NoSuchKey`, `KeyAlreadyExists`, `EntityTooLarge`, `NoSuchBucket`
     */
    move(from: ObjectLocation, to: ObjectLocation): Promise<StoredObject> {
      const moved = db.transaction().execute(async (tx) => {
        await lockFolder(tx, to.name)
        const before = await find(from, tx)
        if (!before) throw new StorageError('NoSuchKey')
        const isElsewhere = folderOf(from.name) !== folderOf(to.name)
        if (isElsewhere) await checkQuota(to.name, before.size, undefined, tx)
        const row = await tx
          .updateTable('storage_objects')
          .set({ bucket_id: to.bucket, name: to.name, updated_at: sql<string>`now()` })
          .where('id', '=', before.id)
          .where('bucket_id', '=', from.bucket)
          .where('name', '=', from.name)
          .returningAll()
          .executeTakeFirst()
        if (!row) throw new StorageError('NoSuchKey')
        return toObject(row)
      })
      return translateViolations(moved)
    },

    /** @returns the removed objects */
    async remove(bucket: string, names: readonly string[]): Promise<StoredObject[]> {
      const rows = await db
        .deleteFrom('storage_objects')
        .where('bucket_id', '=', bucket)
        .where('name', 'in', [...names])
        .returningAll()
        .execute()
      return rows.map(toObject)
    },

    /**
     * Removes objects that were in the bucket at a time, ISO 8601.
     *
     * @returns their file keys; fewer than `most` when there are no more
     */
    async deleteBatch(bucket: string, before: string, most: number): Promise<string[]> {
      const rows = await db
        .deleteFrom('storage_objects')
        .where('id', 'in', (some) =>
          some
            .selectFrom('storage_objects')
            .select('id')
            .where('bucket_id', '=', bucket)
            // `created_at` would include objects that were replaced or moved here since.
            .where('updated_at', '<=', before)
            .limit(most),
        )
        .returning('file_key')
        .execute()
      return rows.map((row) => row.file_key)
    },

    /** A database time, ISO 8601, that is not before that of any committed object. */
    async now(): Promise<string> {
      const { rows } = await sql<{ now: string }>`select now() + interval '1 ms' as now`.execute(db)
      return rows[0]?.now ?? ''
    },
  }
}

export function toObject({ size, metadata, ...row }: Selectable<StorageObjects>): StoredObject {
  return { ...row, size: Number(size), metadata: isRecord(metadata) ? metadata : null }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The top-level folder of a name, as the column `folder` has it. Quotas apply to it. */
export function folderOf(name: string): string {
  return name.split('/', 1)[0] ?? ''
}

/** @throws StorageError for a violated constraint */
async function translateViolations<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    if (violatesConstraint(error, 'storage_objects__name_taken')) {
      throw new StorageError('KeyAlreadyExists')
    }
    if (violatesConstraint(error, 'storage_objects_bucket_id_fkey')) {
      throw new StorageError('NoSuchBucket')
    }
    throw error
  }
}
