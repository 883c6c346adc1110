import { createOrder, type NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { invalidateOrderPages } from '../orders-cache.ts'
import { watchUserChange } from '../watch-user-change.ts'
import { isKeyReused, isRefusal, nextAttempt } from './attempt.ts'
import { clearOrderDraft, readOrderDraft, saveOrderDraft } from './new-order-draft.ts'

/** Creates the order of the draft, idempotently. */
export function useCreateOrder() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(createOrder)

  /**
   * @returns null when the user has signed out meanwhile
   * @throws when the order was not created, or when that is unknown
   */
  return async (fields: NewOrderFields): Promise<OrderRecord | null> => {
    const user = watchUserChange()
    const attempt = nextAttempt(readOrderDraft().attempt, JSON.stringify(fields))
    // Stored before it is sent, so that the key survives a reload.
    saveOrderDraft({ attempt })
    try {
      const headers = { 'idempotency-key': attempt.key }
      const order = await mutateAsync({ headers, body: { fields } })
      if (user.hasChanged()) return null
      clearOrderDraft()
      return order
    } catch (error) {
      if (user.hasChanged()) return null
      if (isKeyReused(error)) saveOrderDraft({ attempt: null })
      else saveOrderDraft({ attempt: { ...attempt, refused: isRefusal(error) } })
      throw error
    } finally {
      user.stop()
      void invalidateOrderPages(client)
    }
  }
}
