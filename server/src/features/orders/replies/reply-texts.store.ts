import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'

type Written = Pick<ReplyText, 'title' | 'text'>

const columns = ['id', 'title', 'text'] as const

export type ReplyTextsStore = ReturnType<typeof createReplyTextsStore>

/** Text templates: the only writer of `reply_texts`. */
export function createReplyTextsStore(db: Database) {
  return {
    /** In the order of creation. */
    list(pharmacyId: string): Promise<ReplyText[]> {
      return db
        .selectFrom('reply_texts')
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
    },

    /**
     * Locks the pharmacy while its texts are counted, so that concurrent calls respect the limit.
     * @returns undefined when there are too many
     */
    add(pharmacyId: string, written: Written): Promise<ReplyText | undefined> {
      return db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        const { kept } = await tx
          .selectFrom('reply_texts')
          .select((text) => text.fn.countAll<string>().as('kept'))
          .where('pharmacy_id', '=', pharmacyId)
          .executeTakeFirstOrThrow()
        if (Number(kept) >= MAX_REPLY_TEXTS) return undefined
        return tx
          .insertInto('reply_texts')
          .values({ pharmacy_id: pharmacyId, title: written.title, text: written.text })
          .returning(columns)
          .executeTakeFirst()
      })
    },

    /** @returns undefined when there is no such text */
    change(
      pharmacyId: string,
      textId: string,
      { title, text }: { [Part in keyof Written]?: string | undefined },
    ): Promise<ReplyText | undefined> {
      return db
        .updateTable('reply_texts')
        .set({
          title: sql<string>`coalesce(${title ?? null}, title)`,
          text: sql<string>`coalesce(${text ?? null}, text)`,
        })
        .where('id', '=', textId)
        .where('pharmacy_id', '=', pharmacyId)
        .returning(columns)
        .executeTakeFirst()
    },

    /** @returns false when there is no such text */
    async remove(pharmacyId: string, textId: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('reply_texts')
        .where('id', '=', textId)
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return removed.numDeletedRows > 0n
    },
  }
}
