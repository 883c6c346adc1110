import type { Database } from '../../database/database.ts'

export type StoredPushKeys = { publicKey: string; privateKey: Buffer }

export type PushKeysStore = ReturnType<typeof createPushKeysStore>

/** The only writer of `push_keys`, a table of one row. */
export function createPushKeysStore(db: Database) {
  return {
    async find(): Promise<StoredPushKeys | undefined> {
      const row = await db
        .selectFrom('push_keys')
        .select(['public_key', 'private_key'])
        .executeTakeFirst()
      return row && { publicKey: row.public_key, privateKey: row.private_key }
    },

    /** Does nothing when another process has inserted keys already. */
    async insert(keys: StoredPushKeys): Promise<void> {
      await db
        .insertInto('push_keys')
        .values({ public_key: keys.publicKey, private_key: keys.privateKey })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
  }
}
