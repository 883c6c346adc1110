import type { Response } from '@bancone/contract/endpoint'
import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  type ReplyText,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError } from '../../../ui/toast.ts'
import { watchUserChange } from '../watch-user-change.ts'

type Listed = Response<typeof listReplyTexts>
export type WrittenReply = Pick<ReplyText, 'title' | 'text'>

const key = endpointKey(listReplyTexts, {})

/** The pharmacy's text templates and their mutations. */
export function useReplyTexts() {
  const client = useQueryClient()
  const query = useEndpoint(listReplyTexts, {})
  const { mutateAsync: sendNew } = useEndpointMutation(addReplyText)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeReplyText)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeReplyText)

  async function updateCache(change: (texts: ReplyText[]) => ReplyText[]) {
    await client.cancelQueries({ queryKey: key })
    client.setQueryData<Listed>(key, (before) => before && { texts: change(before.texts) })
    void client.invalidateQueries({ queryKey: key })
  }

  const without = (textId: string) =>
    updateCache((texts) => texts.filter(({ id }) => id !== textId))

  return {
    texts: query.data?.texts,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    async add(body: WrittenReply) {
      const made = await sendNew({ body })
      await updateCache((texts) => [...texts.filter(({ id }) => id !== made.id), made])
    },
    async change(textId: string, body: WrittenReply) {
      const changed = await sendChanged({ params: { textId }, body })
      await updateCache((texts) => texts.map((text) => (text.id === textId ? changed : text)))
    },
    /** The removal may be sent after the details are closed: a failure is shown as a toast. */
    async remove(textId: string) {
      const user = watchUserChange()
      try {
        await sendRemoval({ params: { textId } })
        await without(textId)
      } catch (error) {
        const gone = error instanceof ApiError && error.code === 'reply_texts.not_found'
        if (gone) await without(textId)
        else if (!user.hasChanged()) {
          toastError('Impossibile eliminare il testo', { description: errorMessage(error) })
        }
      } finally {
        user.stop()
      }
    },
  }
}
export type ReplyTexts = ReturnType<typeof useReplyTexts>
