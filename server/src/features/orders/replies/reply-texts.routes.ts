import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import type { Serve } from '../../../http/serve.ts'
import type { ReplyTexts } from './reply-texts.service.ts'

export function replyTextRoutes(serve: Serve, texts: ReplyTexts) {
  serve(listReplyTexts, (_input, session) => texts.list(session.pharmacy.id))

  serve(addReplyText, ({ body }, session) => texts.add(session.pharmacy.id, body))

  serve(changeReplyText, ({ params, body }, session) =>
    texts.change(session.pharmacy.id, params.textId, body),
  )

  serve(removeReplyText, ({ params }, session) => texts.remove(session.pharmacy.id, params.textId))
}
