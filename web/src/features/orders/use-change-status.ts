import { changeOrderStatus, type OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError } from '../../ui/toast.ts'
import { allOrderPages, putOrder } from './orders-cache.ts'

/**
 * Changes the status of orders, several at a time if need be. `pending` holds what was asked and is
 * not settled: it is laid over the rows, so a failure has nothing to undo.
 */
export function useChangeStatus() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOrderStatus)
  const [pending, setPending] = useState<ReadonlyMap<string, OrderStatus>>(new Map())

  async function change(recordId: string, status: OrderStatus) {
    setPending((before) => new Map(before).set(recordId, status))
    try {
      const order = await mutateAsync({ params: { recordId }, body: { fields: { Stato: status } } })
      await putOrder(client, order)
      await client.invalidateQueries({ queryKey: allOrderPages })
    } catch (error) {
      toastError("Impossibile aggiornare lo stato dell'ordine", {
        description: errorMessage(error),
      })
      void client.invalidateQueries({ queryKey: allOrderPages })
    } finally {
      setPending((before) => new Map([...before].filter(([id]) => id !== recordId)))
    }
  }

  return { pending, change }
}
