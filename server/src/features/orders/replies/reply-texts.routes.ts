import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import type { Serve } from '../../../http/serve.ts'
import type { ReplyTextsStore } from './reply-texts.store.ts'

export function replyTextRoutes(serve: Serve, store: ReplyTextsStore) {
  serve(listReplyTexts, async (_input, session) => ({
    texts: await store.list(session.pharmacy.id),
  }))

  serve(addReplyText, ({ body }, session) => store.add(session.pharmacy.id, body))

  serve(changeReplyText, ({ params, body }, session) =>
    store.change(session.pharmacy.id, params.textId, body),
  )

  serve(removeReplyText, async ({ params }, session) => {
    await store.remove(session.pharmacy.id, params.textId)
    return {}
  })
}
