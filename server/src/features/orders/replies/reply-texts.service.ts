import type { ReplyText } from '@bancone/contract/reply-texts'
import { AppError } from '../../../app-error.ts'
import type { ReplyTextsStore } from './reply-texts.store.ts'

type Written = Parameters<ReplyTextsStore['add']>[1]
type Rewritten = Parameters<ReplyTextsStore['change']>[2]

export type ReplyTexts = ReturnType<typeof createReplyTexts>

/** Text templates with placeholders for messages to customers. */
export function createReplyTexts(store: ReplyTextsStore) {
  return {
    async list(pharmacyId: string): Promise<{ texts: ReplyText[] }> {
      return { texts: await store.list(pharmacyId) }
    },

    async add(pharmacyId: string, written: Written): Promise<ReplyText> {
      const text = await store.add(pharmacyId, written)
      if (!text) throw new AppError('reply_texts.too_many')
      return text
    },

    async change(pharmacyId: string, textId: string, rewritten: Rewritten): Promise<ReplyText> {
      const text = await store.change(pharmacyId, textId, rewritten)
      if (!text) throw new AppError('reply_texts.not_found')
      return text
    },

    async remove(pharmacyId: string, textId: string): Promise<Record<string, never>> {
      if (!(await store.remove(pharmacyId, textId))) throw new AppError('reply_texts.not_found')
      return {}
    },
  }
}
