import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'

export type KeptFilesStore = ReturnType<typeof createKeptFilesStore>

/** Takes the bytes of that key away. */
type RemoveBytes = (key: string) => Promise<void>

/** The only writer of `stored_files`, besides the triggers that say what is used. */
export function createKeptFilesStore(db: Database) {
  return {
    /**
     * Notes a file before it is put. Waits for a removal of it that is under way. What is used stays so;
     * what is not has its day anew.
     */
    async note(key: string, drawnFrom: string | null): Promise<void> {
      await db
        .insertInto('stored_files')
        .values({ key, drawn_from: drawnFrom, ...(drawnFrom !== null && { unused_since: null }) })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            drawn_from: drawnFrom,
            unused_since:
              drawnFrom === null
                ? sql<string>`case when stored_files.unused_since is null
                    and stored_files.drawn_from is null then null else now() end`
                : null,
          }),
        )
        .execute()
    },

    /** Notes what was put while it was removed, so that it is not forgotten. */
    async noteAgain(key: string): Promise<void> {
      await db
        .insertInto('stored_files')
        .values({ key })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute()
    },

    /** Files that nothing has referred to for a day. */
    async unused(after: string, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_files')
        .select('key')
        .where('key', '>', after)
        .where(isUnused)
        .orderBy('key')
        .limit(most)
        .execute()
      return rows.map((row) => row.key)
    },

    /**
     * Removes a file and what was drawn from it. Who puts one of them meanwhile waits, and then puts it
     * anew; if `removeBytes` fails, all of them are still known.
     *
     * @throws isStillUsed, and nothing was removed
     */
    remove(key: string, removeBytes: RemoveBytes): Promise<void> {
      return db.transaction().execute(async (tx) => {
        // From now on nothing more is drawn from it.
        await ofKey(tx, key).forUpdate().execute()
        await removeLocked(tx, key, removeBytes)
      })
    },

    /** The same for a file that is still unused. @returns whether it was */
    removeUnused(key: string, removeBytes: RemoveBytes): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const found = await ofKey(tx, key).where(isUnused).forUpdate().executeTakeFirst()
        if (found) await removeLocked(tx, key, removeBytes)
        return found !== undefined
      })
    },

    /** It is used after all: one row let it go, and another one refers to it. */
    async spare(key: string): Promise<void> {
      await db
        .updateTable('stored_files')
        .set({ unused_since: null })
        .where('key', '=', key)
        .where(isUnused)
        .execute()
    },
  }
}

/** True when a file was not removed because a row refers to it. */
export function isStillUsed(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

function ofKey(db: Database, key: string) {
  return db.selectFrom('stored_files').select('key').where('key', '=', key)
}

/** The rows first: the database's refusal comes before anything is lost. */
async function removeLocked(tx: Database, key: string, removeBytes: RemoveBytes): Promise<void> {
  const drawn = await tx
    .deleteFrom('stored_files')
    .where('drawn_from', '=', key)
    .returning('key')
    .execute()
  await tx.deleteFrom('stored_files').where('key', '=', key).execute()
  for (const file of drawn) await removeBytes(file.key)
  await removeBytes(key)
}

const isUnused = sql<boolean>`unused_since < now() - interval '1 day'`
