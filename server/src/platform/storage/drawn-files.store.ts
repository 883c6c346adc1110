import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type DrawnFilesStore = ReturnType<typeof createDrawnFilesStore>

/** What was drawn from objects. Reads only: files are written and removed as `KeptFiles`. */
export function createDrawnFilesStore(db: Database) {
  return {
    /** So many of what was drawn from a file, in no order, after the first `spared`. */
    async ofFile(fileKey: string, { spared = 0, most }: { spared?: number; most: number }) {
      const rows = await db
        .selectFrom('stored_files')
        .select('key')
        .where('drawn_from', '=', fileKey)
        // By chance: whoever asks for very many drawings does not choose which of them stay.
        .orderBy(sql`random()`)
        .offset(spared)
        .limit(most)
        .execute()
      return rows.map((row) => row.key)
    },

    /** The same of what was drawn from the objects of a folder, in all buckets. */
    async ofFolder(folder: string, { spared, most }: { spared: number; most: number }) {
      const rows = await db
        .selectFrom('storage_objects as object')
        .innerJoin('stored_files as file', 'file.drawn_from', 'object.file_key')
        .select('file.key')
        .where('object.folder', '=', folder)
        .orderBy(sql`random()`)
        .offset(spared)
        .limit(most)
        .execute()
      return rows.map((row) => row.key)
    },

    /** So many of what was drawn from the objects of a bucket. */
    async ofBucket(bucket: string, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_files as file')
        .innerJoin('storage_objects as object', 'object.file_key', 'file.drawn_from')
        .select('file.key')
        .where('object.bucket_id', '=', bucket)
        .limit(most)
        .execute()
      return rows.map((row) => row.key)
    },
  }
}
