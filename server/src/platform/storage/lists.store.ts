import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { type StoredObject, toObject } from './objects.store.ts'

export type Order = 'asc' | 'desc'
export type FileColumn = 'name' | 'created_at' | 'updated_at' | 'last_accessed_at'

/** What to list of a folder: `parent` is its name with a trailing slash, or empty for the bucket. */
export type Folder = {
  bucket: string
  parent: string
  /** The prefix of the names in the folder. */
  start: string
  /** Whether the prefix is compared without regard to case. */
  ignoreCase: boolean
}

/**
 * The position that a page begins after (keyset pagination). `at`: the sort column, ISO 8601; null when sorted
 * by name.
 */
export type FilePosition = { at: string | null; name: string }

export type FilePage = {
  column: FileColumn
  order: Order
  after: FilePosition | null
  limit: number
  offset: number
}

export type ListsStore = ReturnType<typeof createListsStore>

/**
 * Reads folders. Names are compared bytewise, so that equal prefixes are adjacent, and the objects in a
 * subfolder are skipped with one index lookup (loose index scan).
 */
export function createListsStore(db: Database) {
  return {
    /** The names of the subfolders of a folder. @param after the last one of the page before */
    async folders(
      { bucket, parent, start, ignoreCase }: Folder,
      page: { order: Order; after: string | null; limit: number; offset: number },
    ): Promise<string[]> {
      const { order, after, limit, offset } = page
      const within = parent === '' ? sql`true` : sql`o.parent < ${endOfPrefix(parent)}`
      const next = (from: RawBuilder<unknown>) => sql`(
        select split_part(substr(o.parent, length(${parent}::text) + 1), '/', 1)
        from storage_objects o
        where o.bucket_id = ${bucket} and o.parent > ${parent} and ${within} and ${from}
        order by o.parent ${sql.raw(order)} limit 1
      )`
      // Skips the subfolder: `0` is the character after `/`.
      const skipPast = (name: RawBuilder<unknown>) =>
        order === 'asc'
          ? sql`o.parent >= ${parent}::text || ${name} || '0'`
          : sql`o.parent < ${parent}::text || ${name} || '/'`
      const first = after === null ? sql`true` : skipPast(sql`${after}::text`)
      const begins = ignoreCase
        ? sql`starts_with(lower(name), lower(${start}))`
        : sql`starts_with(name, ${start})`
      // A recursive query finds them in order, and no more than requested.
      const { rows } = await sql<{ name: string }>`with recursive walk(name) as (
        select ${next(first)}
        union all
        select ${next(skipPast(sql`walk.name`))} from walk where walk.name is not null
      ) select name from walk where name is not null and ${begins}
        limit ${limit} offset ${offset}`.execute(db)
      return rows.map((row) => row.name)
    },

    /** Whether the folder has an object, at any depth. */
    async has(bucket: string, parent: string): Promise<boolean> {
      const row = await db
        .selectFrom('storage_objects')
        .select('id')
        .where('bucket_id', '=', bucket)
        .where('name', '>', parent)
        .where('name', '<', endOfPrefix(parent))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The objects in a folder, without subfolders. */
    async files(folder: Folder, page: FilePage): Promise<StoredObject[]> {
      const { bucket, parent, start, ignoreCase } = folder
      const query = pageOf(db, bucket, page).where('parent', '=', parent)
      const own = sql`substr(name, length(${parent}::text) + 1)`
      const begins = ignoreCase
        ? sql<boolean>`starts_with(lower(${own}), lower(${start}))`
        : sql<boolean>`starts_with(${own}, ${start})`
      const rows = await (start === '' ? query : query.where(begins)).execute()
      return rows.map(toObject)
    },

    /** The objects with a prefix, at any depth. */
    async all(bucket: string, start: string, page: FilePage): Promise<StoredObject[]> {
      const query = pageOf(db, bucket, page)
      const begun =
        start === ''
          ? query
          : query.where('name', '>=', start).where('name', '<', endOfPrefix(start))
      const rows = await begun.execute()
      return rows.map(toObject)
    },
  }
}

function pageOf(db: Database, bucket: string, page: FilePage) {
  const { column, order, after, limit, offset } = page
  const query = db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucket)
    .limit(limit)
    .offset(offset)
  const than = order === 'asc' ? '>' : '<'
  if (column === 'name') {
    const sorted = query.orderBy('name', order)
    return after ? sorted.where('name', than, after.name) : sorted
  }
  // Truncated to the precision of the cursor, so that the next page continues where this one ended.
  const time = sql<string>`date_trunc('milliseconds', ${sql.ref(column)})`
  const sorted = query.orderBy(time, order).orderBy('name', order)
  if (!after) return sorted
  return sorted.where(
    sql<boolean>`(${time}, name) ${sql.raw(than)} (${after.at}::timestamptz, ${after.name})`,
  )
}

/** The smallest text after all texts with that prefix. */
function endOfPrefix(start: string): string {
  return start.slice(0, -1) + String.fromCharCode(start.charCodeAt(start.length - 1) + 1)
}
