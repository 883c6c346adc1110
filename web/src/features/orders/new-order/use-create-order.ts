import { createOrder, type NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { followUser } from '../followed-user.ts'
import { readOrderPages } from '../orders-cache.ts'
import { isRefusal, nextAttempt, wasMadeBefore } from './attempt.ts'
import { forgetOrderDraft, keepOrderDraft, readOrderDraft } from './new-order-draft.ts'

/** Makes the order of the draft, once, however often it has to be sent. */
export function useCreateOrder() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(createOrder)

  /**
   * @returns null when who typed it in has left meanwhile: it is nothing to whoever is there now
   * @throws when it was not made, or nobody knows whether it was
   */
  return async (fields: NewOrderFields): Promise<OrderRecord | null> => {
    const user = followUser()
    const attempt = nextAttempt(readOrderDraft().attempt, JSON.stringify(fields))
    // Before it is sent: after a reload it is still known.
    keepOrderDraft({ attempt })
    try {
      const headers = { 'idempotency-key': attempt.key }
      const order = await mutateAsync({ headers, body: { fields } })
      if (user.gone()) return null
      forgetOrderDraft()
      return order
    } catch (error) {
      if (user.gone()) return null
      if (wasMadeBefore(error)) keepOrderDraft({ attempt: null })
      else keepOrderDraft({ attempt: { ...attempt, refused: isRefusal(error) } })
      throw error
    } finally {
      user.stop()
      void readOrderPages(client)
    }
  }
}
