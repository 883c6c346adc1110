import { changeOrderStatus, dismissOrderNotice, type OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { pharmacySession } from '../../lib/session.ts'
import { dismissToast, toastError, toastResult } from '../../ui/toast.ts'
import { statusControlId } from './order-item.ts'
import { knownStatus } from './order-status.ts'
import type { OrderView } from './order-view.ts'
import { putOrder, readOrderPages } from './orders-cache.ts'

const HIGHLIGHT_MS = 3_200

/** What a change needs to know of its order: nothing of the customer goes into a toast. */
type Target = Pick<OrderView, 'recordId' | 'number' | 'status'>

/**
 * Changes the status of orders, several at a time if need be. `pending` holds what was asked and is
 * not settled: it is laid over the rows, so a failure has nothing to undo. `changed` holds the orders
 * changed just now. The outcome is said with a way back, or a way to try again.
 */
export function useChangeStatus() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOrderStatus)
  const { mutateAsync: dismiss } = useEndpointMutation(dismissOrderNotice)
  const [pending, setPending] = useState<ReadonlyMap<string, OrderStatus>>(new Map())
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    if (changed.size === 0) return
    const timer = setTimeout(() => setChanged(new Set()), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [changed])

  /** From a toast, which goes: the focus returns to where the order is changed. */
  function changeFromToast(target: Target, status: OrderStatus) {
    document.getElementById(statusControlId(target.recordId))?.focus()
    void change(target, status)
  }

  async function change(target: Target, status: OrderStatus) {
    const { recordId, number } = target
    const about = `order-${recordId}`
    let userEnded = false
    const stop = pharmacySession.onUserEnded(() => {
      userEnded = true
    })
    dismissToast(about)
    setPending((before) => new Map(before).set(recordId, status))
    try {
      const order = await mutateAsync({ params: { recordId }, body: { fields: { Stato: status } } })
      await putOrder(client, order)
      setChanged((before) => new Set(before).add(recordId))
      const former = knownStatus(target.status)
      if (!userEnded) {
        const undo = (to: OrderStatus) => () => changeFromToast({ ...target, status }, to)
        toastResult(`Ordine ${number}: ${status}`, {
          about,
          // A foreign word of the store cannot be written again.
          ...(former ? { action: { label: 'Annulla modifica', run: undo(former) } } : {}),
        })
      }
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null
      const conflicting = code === 'orders.conflict'
      const refused = code === 'orders.source_refused'
      if (!userEnded) {
        toastError("Impossibile aggiornare lo stato dell'ordine", {
          about,
          description: `Ordine ${number}: ${errorMessage(error)}`,
          // What was changed in the store meanwhile is to be looked at first.
          ...(conflicting
            ? {}
            : { action: { label: 'Riprova', run: () => changeFromToast(target, status) } }),
          lasting: true,
        })
      }
      if (refused || conflicting) {
        // The toast has told it. Until the page is read again its row would show what no longer holds.
        await dismiss({ params: { recordId } }).catch(() => undefined)
        await readOrderPages(client)
      }
    } finally {
      stop()
      setPending((before) => new Map([...before].filter(([id]) => id !== recordId)))
    }
    void readOrderPages(client)
  }

  return { pending, changed, change }
}
