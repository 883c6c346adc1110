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
import { followUser } from '../followed-user.ts'
import { allOrderDetails } from '../orders-cache.ts'

/** Writes the private notes of an order, and puts what came of it into its details. */
export function useNotes(recordId: string) {
  const client = useQueryClient()
  const { mutateAsync: sendNew } = useEndpointMutation(addOrderNote)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeOrderNote)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeOrderNote)

  async function put(change: (notes: OrderNote[]) => OrderNote[]) {
    // A reading that began before would bring the former notes back.
    await client.cancelQueries({ queryKey: allOrderDetails })
    client.setQueriesData<OrderDetails>({ queryKey: allOrderDetails }, (details) =>
      details?.order.id === recordId ? { ...details, notes: change(details.notes) } : details,
    )
    void client.invalidateQueries({ queryKey: allOrderDetails })
  }

  const without = (noteId: string) => put((notes) => notes.filter(({ id }) => id !== noteId))

  return {
    async add(text: string) {
      const note = await sendNew({ params: { recordId }, body: { text } })
      await put((notes) => [...notes.filter(({ id }) => id !== note.id), note])
    },
    async change(noteId: string, text: string) {
      const changed = await sendChanged({ params: { recordId, noteId }, body: { text } })
      await put((notes) => notes.map((note) => (note.id === noteId ? changed : note)))
    },
    /** It may have an end after the details were closed, so what went wrong is said in a toast. */
    async remove(noteId: string) {
      const user = followUser()
      try {
        await sendRemoval({ params: { recordId, noteId } })
        await without(noteId)
      } catch (error) {
        const gone = error instanceof ApiError && error.code === 'orders.note_not_found'
        if (gone) await without(noteId)
        else if (!user.gone()) {
          toastError('Impossibile eliminare la nota', { description: errorMessage(error) })
        }
      } finally {
        user.stop()
      }
    },
  }
}
