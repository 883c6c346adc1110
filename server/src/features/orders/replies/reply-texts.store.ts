import { MAX_REPLY_TEXTS, type ReplyText } from '@bancone/contract/reply-texts'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'

type Written = Pick<ReplyText, 'title' | 'text'>

const columns = ['id', 'title', 'text'] as const

export type ReplyTextsStore = ReturnType<typeof createReplyTextsStore>

/** Text templates: the only writer of `reply_texts`. */
export function createReplyTextsStore(db: Database) {
  const audit = createAudit(db)
  const concerning = (pharmacyId: string, id: string) => ({
    pharmacyId,
    target: { type: 'text', id },
  })

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
        const made = await tx
          .insertInto('reply_texts')
          .values({ pharmacy_id: pharmacyId, title: written.title, text: written.text })
          .returning(columns)
          .executeTakeFirstOrThrow()
        const after = { title: made.title, text: made.text }
        const change = { action: 'reply_text_added', after } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, made.id) })
        return made
      })
    },

    /** @throws AppError `reply_texts.not_found` */
    change(
      pharmacyId: string,
      textId: string,
      { title, text }: { [Part in keyof Written]?: string | undefined },
    ): Promise<ReplyText> {
      return db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('reply_texts')
          .select(['title', 'text'])
          .where('id', '=', textId)
          .where('pharmacy_id', '=', pharmacyId)
          .forUpdate()
          .executeTakeFirstOrThrow(() => new AppError('reply_texts.not_found'))
        const after = { title: title ?? before.title, text: text ?? before.text }
        await tx
          .updateTable('reply_texts')
          .set(after)
          .where('id', '=', textId)
          .where('pharmacy_id', '=', pharmacyId)
          .execute()
        const change = { action: 'reply_text_changed', before, after } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, textId) })
        return { id: textId, ...after }
      })
    },

    /** @throws AppError `reply_texts.not_found` */
    async remove(pharmacyId: string, textId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const before = await tx
          .deleteFrom('reply_texts')
          .where('id', '=', textId)
          .where('pharmacy_id', '=', pharmacyId)
          .returning(['title', 'text'])
          .executeTakeFirstOrThrow(() => new AppError('reply_texts.not_found'))
        const change = { action: 'reply_text_removed', before } as const
        await audit.recordChange(tx, { ...change, ...concerning(pharmacyId, textId) })
      })
    },
  }
}
