import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  type OrderNote,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { useQueryClient } from '@tanstack/react-query'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { replaceItem, withItem, withoutItem } from '../../../lib/item-list.ts'
import { awaitRemoval } from './await-removal.ts'

/** Mutations of an order's notes, which update the cached details. */
export function useNotes(recordId: string) {
  const client = useQueryClient()
  const { mutateAsync: sendNew } = useEndpointMutation(addOrderNote)
  const { mutateAsync: sendChanged } = useEndpointMutation(changeOrderNote)
  const { mutateAsync: sendRemoval } = useEndpointMutation(removeOrderNote)

  const update = (change: (notes: OrderNote[]) => OrderNote[]) =>
    updateCached(client, getOrder, (details) =>
      details.order.id === recordId ? { ...details, notes: change(details.notes) } : details,
    )

  return {
    async add(text: string) {
      const note = await sendNew({ params: { recordId }, body: { text } })
      await update((notes) => withItem(notes, note))
    },
    async change(noteId: string, text: string) {
      const note = await sendChanged({ params: { recordId, noteId }, body: { text } })
      await update((notes) => replaceItem(notes, note))
    },
    async remove(noteId: string) {
      const removal = sendRemoval({ params: { recordId, noteId } })
      if (await awaitRemoval(removal, 'orders.note_not_found', 'Impossibile eliminare la nota'))
        await update((notes) => withoutItem(notes, noteId))
    },
  }
}
