import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { sql } from 'kysely'
import { AppError } from '../../../app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'
import { requireRoom } from '../../../database/row-limit.ts'

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

    /** @throws AppError `reply_texts.too_many` */
    add(pharmacyId: string, written: Written): Promise<ReplyText> {
      return db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx.selectFrom('reply_texts').where('pharmacy_id', '=', pharmacyId),
          max: MAX_REPLY_TEXTS,
          code: 'reply_texts.too_many',
        })
        return tx
          .insertInto('reply_texts')
          .values({ pharmacy_id: pharmacyId, title: written.title, text: written.text })
          .returning(columns)
          .executeTakeFirstOrThrow()
      })
    },

    /** @throws AppError `reply_texts.not_found` */
    change(
      pharmacyId: string,
      textId: string,
      { title, text }: { [Part in keyof Written]?: string | undefined },
    ): Promise<ReplyText> {
      return db
        .updateTable('reply_texts')
        .set({
          title: sql<string>`coalesce(${title ?? null}, title)`,
          text: sql<string>`coalesce(${text ?? null}, text)`,
        })
        .where('id', '=', textId)
        .where('pharmacy_id', '=', pharmacyId)
        .returning(columns)
        .executeTakeFirstOrThrow(() => new AppError('reply_texts.not_found'))
    },

    /** @throws AppError `reply_texts.not_found` */
    async remove(pharmacyId: string, textId: string): Promise<void> {
      await db
        .deleteFrom('reply_texts')
        .where('id', '=', textId)
        .where('pharmacy_id', '=', pharmacyId)
        .returning('id')
        .executeTakeFirstOrThrow(() => new AppError('reply_texts.not_found'))
    },
  }
}
