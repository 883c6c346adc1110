import type { PrivacyText, PublishedPrivacyText } from '@bancone/contract/privacy-texts'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import { createAudit } from '../../platform/audit.ts'
import { defaultPrivacyText, type NamedServices } from './default-privacy-text.ts'
import { emailOf } from './settings.store.ts'

export type PrivacyTextsStore = ReturnType<typeof createPrivacyTextsStore>

/** The only writer of `privacy_texts`, whose rows are never changed. */
export function createPrivacyTextsStore(db: Database) {
  const audit = createAudit(db)

  const newestFirst = () =>
    db
      .selectFrom('privacy_texts')
      .select(['version', 'text', 'published_at as publishedAt'])
      .orderBy('version', 'desc')

  return {
    /** The version in force. The migration publishes the first one. */
    current(): Promise<PrivacyText> {
      return newestFirst().limit(1).executeTakeFirstOrThrow()
    },

    list(): Promise<PublishedPrivacyText[]> {
      return newestFirst()
        .select(({ ref }) => emailOf(ref('published_by')).as('publishedBy'))
        .execute()
    },

    /**
     * Publishes the default text anew when it has to name other services, unless an administrator has published a text.
     * Versions are never changed, so the services of a day can be proved.
     */
    async publishDefault(services: NamedServices): Promise<void> {
      const [newest, ...older] = await newestFirst().select('published_by').execute()
      const first = older.at(-1) ?? newest
      if (!newest || !first || newest.published_by !== null) return
      const text = defaultPrivacyText(first.text, services)
      if (text === newest.text) return
      await db
        .insertInto('privacy_texts')
        .values({ version: newest.version + 1, text })
        // Of another process.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** @throws AppError `settings.changed_meanwhile` when the newest version is not `basedOn` */
    publish(text: string, basedOn: number, userId: string): Promise<PublishedPrivacyText> {
      return (
        db
          .transaction()
          .execute(async (tx) => {
            const { newest } = await tx
              .selectFrom('privacy_texts')
              .select(({ fn }) => fn.max('version').as('newest'))
              .executeTakeFirstOrThrow()
            if (newest !== basedOn) throw new AppError('settings.changed_meanwhile')
            const published = await tx
              .insertInto('privacy_texts')
              .values({ version: basedOn + 1, text, published_by: userId })
              .returning(['version', 'text', 'published_at as publishedAt'])
              .returning(({ ref }) => emailOf(ref('published_by')).as('publishedBy'))
              .executeTakeFirstOrThrow()
            const target = { type: 'privacy-text', id: String(published.version) }
            await audit.recordChange(tx, {
              action: 'privacy_text_published',
              pharmacyId: null,
              target,
            })
            return published
          })
          // Of two concurrent transactions that have read the same version, the second cannot insert.
          .catch(rethrowViolationAs('settings.changed_meanwhile', 'privacy_texts_pkey'))
      )
    },
  }
}
