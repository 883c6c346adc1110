import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type RenderedFilesStore = ReturnType<typeof createRenderedFilesStore>

/** Reads which renditions exist. The files themselves are written and removed by `StoredFiles`. */
export function createRenderedFilesStore(db: Database) {
  return {
    /** At most `limit` renditions of a file, in random order, after the first `skip`. */
    async ofFile(fileKey: string, { skip = 0, limit }: { skip?: number; limit: number }) {
      const rows = await db
        .selectFrom('stored_files')
        .select('key')
        .where('drawn_from', '=', fileKey)
        // Random, so that a caller who requests very many renditions cannot choose which of them stay.
        .orderBy(sql`random()`)
        .offset(skip)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },

    /** The same for the objects of a folder, in all buckets. */
    async ofFolder(folder: string, { skip, limit }: { skip: number; limit: number }) {
      const rows = await db
        .selectFrom('storage_objects as object')
        .innerJoin('stored_files as file', 'file.drawn_from', 'object.file_key')
        .select('file.key')
        .where('object.folder', '=', folder)
        .orderBy(sql`random()`)
        .offset(skip)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },

    /** At most `limit` renditions of the objects in a bucket. */
    async ofBucket(bucket: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_files as file')
        .innerJoin('storage_objects as object', 'object.file_key', 'file.drawn_from')
        .select('file.key')
        .where('object.bucket_id', '=', bucket)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },
  }
}
