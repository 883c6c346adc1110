import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { columns, type StoredObject, toObject } from './objects.store.ts'

export type Order = 'asc' | 'desc'
export type FileColumn = 'name' | 'created_at' | 'updated_at' | 'last_accessed_at'

/** What of a folder is listed: `parent` is its name with a slash at the end, or nothing for the bucket. */
export type Folder = {
  bucket: string
  parent: string
  /** How the names in it begin. */
  start: string
  /** Whether capitals are the same as small letters. */
  anyCase: boolean
}

/** Where a page begins: after that one. `at` is what it is sorted by, ISO 8601; null for the name. */
export type FilePoint = { at: string | null; name: string }

export type FilePage = {
  column: FileColumn
  order: Order
  after: FilePoint | null
  limit: number
  offset: number
}

export type ListsStore = ReturnType<typeof createListsStore>

/**
 * Reads what is in folders. Names are compared byte by byte, so that what begins alike lies together: folders
 * are leapt over, however much is in them.
 */
export function createListsStore(db: Database) {
  return {
    /** The names of the folders in a folder. @param after the one before the first */
    async folders(
      { bucket, parent, start, anyCase }: Folder,
      page: { order: Order; after: string | null; limit: number; offset: number },
    ): Promise<string[]> {
      const { order, after, limit, offset } = page
      const within = parent === '' ? sql`true` : sql`o.parent < ${pastAll(parent)}`
      const next = (from: RawBuilder<unknown>) => sql`(
        select split_part(substr(o.parent, length(${parent}::text) + 1), '/', 1)
        from storage_objects o
        where o.bucket_id = ${bucket} and o.parent > ${parent} and ${within} and ${from}
        order by o.parent ${sql.raw(order)} limit 1
      )`
      // Past all that is in it: after its slash comes the nought.
      const leap = (name: RawBuilder<unknown>) =>
        order === 'asc'
          ? sql`o.parent >= ${parent}::text || ${name} || '0'`
          : sql`o.parent < ${parent}::text || ${name} || '/'`
      const first = after === null ? sql`true` : leap(sql`${after}::text`)
      const begins = anyCase
        ? sql`starts_with(lower(name), lower(${start}))`
        : sql`starts_with(name, ${start})`
      // Made one after the other, in their order, and no more of them than are asked for.
      const { rows } = await sql<{ name: string }>`with recursive walk(name) as (
        select ${next(first)}
        union all
        select ${next(leap(sql`walk.name`))} from walk where walk.name is not null
      ) select name from walk where name is not null and ${begins}
        limit ${limit} offset ${offset}`.execute(db)
      return rows.map((row) => row.name)
    },

    /** Whether there is anything in that folder, or below it. */
    async has(bucket: string, parent: string): Promise<boolean> {
      const row = await db
        .selectFrom('storage_objects')
        .select('id')
        .where('bucket_id', '=', bucket)
        .where('name', '>', parent)
        .where('name', '<', pastAll(parent))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The objects in a folder, without those of the folders in it. */
    async files(folder: Folder, page: FilePage): Promise<StoredObject[]> {
      const { bucket, parent, start, anyCase } = folder
      const query = pageOf(db, bucket, page).where('parent', '=', parent)
      const own = sql`substr(name, length(${parent}::text) + 1)`
      const begins = anyCase
        ? sql<boolean>`starts_with(lower(${own}), lower(${start}))`
        : sql<boolean>`starts_with(${own}, ${start})`
      const rows = await (start === '' ? query : query.where(begins)).execute()
      return rows.map(toObject)
    },

    /** The objects whose names begin so, in whatever folder. */
    async all(bucket: string, start: string, page: FilePage): Promise<StoredObject[]> {
      const query = pageOf(db, bucket, page)
      const begun =
        start === '' ? query : query.where('name', '>=', start).where('name', '<', pastAll(start))
      const rows = await begun.execute()
      return rows.map(toObject)
    },
  }
}

function pageOf(db: Database, bucket: string, page: FilePage) {
  const { column, order, after, limit, offset } = page
  const query = db
    .selectFrom('storage_objects')
    .select(columns)
    .where('bucket_id', '=', bucket)
    .limit(limit)
    .offset(offset)
  const than = order === 'asc' ? '>' : '<'
  if (column === 'name') {
    const sorted = query.orderBy('name', order)
    return after ? sorted.where('name', than, after.name) : sorted
  }
  // As exact as they are told, so that a page goes on where the one before ended.
  const time = sql<string>`date_trunc('milliseconds', ${sql.ref(column)})`
  const sorted = query.orderBy(time, order).orderBy('name', order)
  if (!after) return sorted
  return sorted.where(
    sql<boolean>`(${time}, name) ${sql.raw(than)} (${after.at}::timestamptz, ${after.name})`,
  )
}

/** Comes after every name that begins so, and before all others. */
function pastAll(start: string): string {
  return start.slice(0, -1) + String.fromCharCode(start.charCodeAt(start.length - 1) + 1)
}
