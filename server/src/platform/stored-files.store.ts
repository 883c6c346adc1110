import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'

export type StoredFilesStore = ReturnType<typeof createStoredFilesStore>

/** Removes the bytes of a file from the file store. */
type RemoveBytes = (key: string) => Promise<void>

/** The only writer of `stored_files`, besides the triggers that track references. */
export function createStoredFilesStore(db: Database) {
  return {
    /**
     * Registers a file before it is stored. Waits for a removal of the same file in progress. A file in use stays in
     * use; for an unused file, the day until its removal starts again.
     */
    async register(key: string, originalKey: string | null): Promise<void> {
      await db
        .insertInto('stored_files')
        .values({
          key,
          drawn_from: originalKey,
          ...(originalKey !== null && { unused_since: null }),
        })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            drawn_from: originalKey,
            unused_since:
              originalKey === null
                ? sql<string>`case when stored_files.unused_since is null
                    and stored_files.drawn_from is null then null else now() end`
                : null,
          }),
        )
        .execute()
    },

    /** Registers a file again that was removed while it was being stored, so that it is not orphaned. */
    async registerIfMissing(key: string): Promise<void> {
      await db
        .insertInto('stored_files')
        .values({ key })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
    },

    /** The keys of files without references for a day, in order, after the key `after`. */
    async unused(after: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_files')
        .select('key')
        .where('key', '>', after)
        .where(isUnused)
        .orderBy('key')
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },

    /**
     * Removes a file and its renditions. A concurrent `put` of one of them waits and then stores it again. If
     * `removeBytes` fails, all of them remain registered.
     *
     * @throws an error for which `isStillUsed` is true; then nothing was removed
     */
    remove(key: string, removeBytes: RemoveBytes): Promise<void> {
      return db.transaction().execute(async (tx) => {
        // The row lock prevents new renditions.
        await selectByKey(tx, key).forUpdate().execute()
        await removeLocked(tx, key, removeBytes)
      })
    },

    /** Removes a file and its renditions if it is still unused. @returns whether it was */
    removeUnused(key: string, removeBytes: RemoveBytes): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const found = await selectByKey(tx, key).where(isUnused).forUpdate().executeTakeFirst()
        if (found) await removeLocked(tx, key, removeBytes)
        return found !== undefined
      })
    },

    /** Marks a file as used: one row released it while another one still refers to it. */
    async markUsed(key: string): Promise<void> {
      await db
        .updateTable('stored_files')
        .set({ unused_since: null })
        .where('key', '=', key)
        .where(isUnused)
        .execute()
    },
  }
}

/** Whether a file was not removed because a row refers to it (a foreign key violation). */
export function isStillUsed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

function selectByKey(db: Database, key: string) {
  return db.selectFrom('stored_files').select('key').where('key', '=', key)
}

/** Deletes the rows first, so that a foreign key violation occurs before any bytes are removed. */
async function removeLocked(tx: Database, key: string, removeBytes: RemoveBytes): Promise<void> {
  const renditions = await tx
    .deleteFrom('stored_files')
    .where('drawn_from', '=', key)
    .returning('key')
    .execute()
  await tx.deleteFrom('stored_files').where('key', '=', key).execute()
  for (const file of renditions) await removeBytes(file.key)
  await removeBytes(key)
}

const isUnused = sql<boolean>`unused_since < now() - interval '1 day'`
