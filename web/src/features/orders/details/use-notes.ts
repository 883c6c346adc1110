import {
  addOrderNote,
  changeOrderNote,
  type OrderDetails,
  type OrderNote,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError } from '../../../ui/toast.ts'
import { orderDetailsKey } from '../orders-cache.ts'
import { watchUserChange } from '../watch-user-change.ts'

/** Mutations of an order's notes, which update the cached details. */
export function useNotes(recordId: string) {
  const client = useQueryClient()
  const { mutateAsync: sendNew } = useEndpointMutation(addOrderNote)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeOrderNote)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeOrderNote)

  async function updateCache(change: (notes: OrderNote[]) => OrderNote[]) {
    // A query under way would overwrite the cache with the old notes.
    await client.cancelQueries({ queryKey: orderDetailsKey })
    client.setQueriesData<OrderDetails>({ queryKey: orderDetailsKey }, (details) =>
      details?.order.id === recordId ? { ...details, notes: change(details.notes) } : details,
    )
    void client.invalidateQueries({ queryKey: orderDetailsKey })
  }

  const without = (noteId: string) =>
    updateCache((notes) => notes.filter(({ id }) => id !== noteId))

  return {
    async add(text: string) {
      const note = await sendNew({ params: { recordId }, body: { text } })
      await updateCache((notes) => [...notes.filter(({ id }) => id !== note.id), note])
    },
    async change(noteId: string, text: string) {
      const changed = await sendChanged({ params: { recordId, noteId }, body: { text } })
      await updateCache((notes) => notes.map((note) => (note.id === noteId ? changed : note)))
    },
    /** The removal may be sent after the details are closed: a failure is shown as a toast. */
    async remove(noteId: string) {
      const user = watchUserChange()
      try {
        await sendRemoval({ params: { recordId, noteId } })
        await without(noteId)
      } catch (error) {
        const gone = error instanceof ApiError && error.code === 'orders.note_not_found'
        if (gone) await without(noteId)
        else if (!user.hasChanged()) {
          toastError('Impossibile eliminare la nota', { description: errorMessage(error) })
        }
      } finally {
        user.stop()
      }
    },
  }
}
