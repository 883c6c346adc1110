import { MAX_BULK_CHANGES } from '@bancone/contract/bulk-changes'
import { getOrder } from '@bancone/contract/order-details'
import { changeOrdersPickup, type PickupChange } from '@bancone/contract/order-pickup'
import type { OrderPickup } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { type OrderView, pickupNames } from '../data/order-view.ts'
import { invalidateOrderPages } from '../data/orders-cache.ts'

const ABOUT = 'pickup'

type Sending = {
  /** The orders, as the beginning of a sentence. */
  what: string
  /** What becomes of them. */
  done: string
  changes: readonly PickupChange[]
  isUndo?: boolean
}

/**
 * @param left the number of orders that stay as they are
 * @param undo null where nothing has changed
 */
function notifySent(
  { what, done, changes, isUndo = false }: Sending,
  left: number,
  undo: (() => void) | null,
) {
  const count = formatCount(left, 'ordine', 'ordini')
  const description =
    left === 0
      ? {}
      : { description: `${count} non cambiati: non ci sono più, o un collega è arrivato prima.` }
  if (left === changes.length)
    return toastError(`${what}: niente è cambiato`, { about: ABOUT, ...description })
  toastSuccess(`${what}: ${isUndo ? 'modifica annullata' : done}`, {
    about: ABOUT,
    ...description,
    ...(isUndo || undo === null ? {} : { action: { label: 'Annulla modifica', run: undo } }),
  })
}

/** Marks orders as ready or collected. A toast says so and takes it back. */
export function useChangePickup() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(changeOrdersPickup)

  async function send(sending: Sending) {
    const { what, done, changes, isUndo = false } = sending
    const undo: PickupChange[] = []
    let left = 0
    let sent = 0
    try {
      for (; sent < changes.length; sent += MAX_BULK_CHANGES) {
        const batch = changes.slice(sent, sent + MAX_BULK_CHANGES)
        const answer = await mutateAsync({ body: { changes: batch } })
        left += answer.left.length
        for (const { recordId, from, to } of answer.changed)
          if (from !== to) undo.push({ recordId, to: from, was: to })
      }
      const takeBack = () => void send({ ...sending, changes: undo, isUndo: true })
      notifySent(sending, left, undo.length > 0 ? takeBack : null)
    } catch (error) {
      toastError(`${what}: modifica non salvata`, {
        about: ABOUT,
        description: errorMessage(error),
        action: {
          label: 'Riprova',
          run: () => void send({ what, done, changes: changes.slice(sent), isUndo }),
        },
        lasting: true,
      })
    }
    await Promise.all([
      invalidateOrderPages(client),
      client.invalidateQueries({ queryKey: endpointKey(getOrder) }),
    ])
  }

  return {
    busy: isPending,

    change: ({ recordId, number, pickup }: OrderView, to: OrderPickup) =>
      send({
        what: `Ordine ${number}`,
        done: pickupNames[to],
        changes: [{ recordId, to, was: pickup }],
      }),

    /** Orders whose state the screen may not know. */
    changeMany: (recordIds: readonly string[], to: OrderPickup) =>
      send({
        what: formatCount(recordIds.length, 'ordine', 'ordini'),
        done: pickupNames[to],
        changes: recordIds.map((recordId) => ({ recordId, to })),
      }),
  }
}
