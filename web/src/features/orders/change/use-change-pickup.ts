import { getOrder } from '@bancone/contract/order-details'
import { changeOrdersPickup, type PickupChange } from '@bancone/contract/order-pickup'
import { MAX_BULK_CHANGES } from '@bancone/contract/order-search'
import type { OrderPickup } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import type { OrderView } from '../data/order-view.ts'
import { invalidateOrderPages } from '../data/orders-cache.ts'

export const pickupNames: Record<OrderPickup, string> = {
  none: 'Non pronto',
  ready: 'Pronto',
  collected: 'Ritirato',
}

const ABOUT = 'pickup'

/** Marks orders as ready or collected. A toast says so and takes it back. */
export function useChangePickup() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(changeOrdersPickup)

  /**
   * @param what the orders, as the beginning of a sentence
   * @param done what becomes of them
   */
  async function send(what: string, done: string, changes: readonly PickupChange[]) {
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
      const description =
        left === 0
          ? {}
          : {
              description: `${formatCount(left, 'ordine', 'ordini')} non cambiati: non ci sono più, o un collega è arrivato prima.`,
            }
      const action = {
        label: 'Annulla modifica',
        run: () => void send(what, 'modifica annullata', undo),
      }
      if (left === changes.length)
        toastError(`${what}: niente è cambiato`, { about: ABOUT, ...description })
      else
        toastSuccess(`${what}: ${done}`, {
          about: ABOUT,
          ...description,
          ...(undo.length > 0 && done !== 'modifica annullata' ? { action } : {}),
        })
    } catch (error) {
      toastError(`${what}: modifica non salvata`, {
        about: ABOUT,
        description: errorMessage(error),
        action: { label: 'Riprova', run: () => void send(what, done, changes.slice(sent)) },
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
      send(`Ordine ${number}`, pickupNames[to], [{ recordId, to, was: pickup }]),

    /** Orders whose state the screen may not know. */
    changeMany: (recordIds: readonly string[], to: OrderPickup) =>
      send(
        formatCount(recordIds.length, 'ordine', 'ordini'),
        pickupNames[to],
        recordIds.map((recordId) => ({ recordId, to })),
      ),
  }
}
