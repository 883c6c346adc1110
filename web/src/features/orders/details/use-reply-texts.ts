import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  type ReplyText,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import { useQueryClient } from '@tanstack/react-query'
import { updateCached, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { replaceItem, withItem, withoutItem } from '../../../lib/item-list.ts'
import { awaitRemoval } from './await-removal.ts'

export type WrittenReply = Pick<ReplyText, 'title' | 'text'>

/** The pharmacy's text templates and their mutations. */
export function useReplyTexts() {
  const client = useQueryClient()
  const query = useEndpoint(listReplyTexts, {})
  const { mutateAsync: sendNew } = useEndpointMutation(addReplyText)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeReplyText)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeReplyText)

  const update = (change: (texts: ReplyText[]) => ReplyText[]) =>
    updateCached(client, listReplyTexts, ({ texts }) => ({ texts: change(texts) }))

  return {
    texts: query.data?.texts,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    async add(body: WrittenReply) {
      const text = await sendNew({ body })
      await update((texts) => withItem(texts, text))
    },
    async change(textId: string, body: WrittenReply) {
      const text = await sendChanged({ params: { textId }, body })
      await update((texts) => replaceItem(texts, text))
    },
    async remove(textId: string) {
      const removal = sendRemoval({ params: { textId } })
      if (await awaitRemoval(removal, 'reply_texts.not_found', 'Impossibile eliminare il testo'))
        await update((texts) => withoutItem(texts, textId))
    },
  }
}
export type ReplyTexts = ReturnType<typeof useReplyTexts>
