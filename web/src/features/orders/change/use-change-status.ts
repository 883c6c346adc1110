import { changeOrderStatus, dismissOrderNotice, type OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { failedOffline, untilOnline } from '../../../lib/network.ts'
import { promptBeforeUnload } from '../../../lib/use-before-unload-prompt.ts'
import { dismissToast, toastError, toastSuccess } from '../../../ui/toast.ts'
import type { OptimisticStatuses } from '../data/optimistic-statuses.ts'
import { comparableStatus, knownStatus } from '../data/order-status.tsx'
import { invalidateOrderPages, setCachedOrder } from '../data/orders-cache.ts'
import { statusControlId } from '../data/orders-focus.ts'
import { hasOpenDetails } from '../data/use-details.ts'
import { watchUserChange } from '../data/watch-user-change.ts'
import type { Conflict, StatusTarget } from './conflict-dialog.tsx'

/**
 * Changes the status of orders, several at a time if needed. The result is a toast with an undo or retry action. When
 * another user has changed the order meanwhile, it is left unchanged and put into `conflict` until this user decides.
 */
export function useChangeStatus(statuses: OptimisticStatuses) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOrderStatus)
  const { mutateAsync: dismiss } = useEndpointMutation(dismissOrderNotice)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  /** The orders with a running change, and the status to set after it, chosen by the keyboard. */
  const running = useRef(new Map<string, OrderStatus | null>())

  /** For an action of a toast, which disappears: the focus moves to the status select. */
  function changeFromToast(target: StatusTarget, status: OrderStatus) {
    document.getElementById(statusControlId(target.recordId))?.focus()
    void change(target, status)
  }

  async function change(target: StatusTarget, status: OrderStatus) {
    const { recordId } = target
    const held = statuses.pendingStatus(recordId)
    if (held !== undefined) {
      // A keyboard correction waits for the running change; a repeated click is ignored.
      if (!running.current.has(recordId) || held === status) return
      running.current.set(recordId, status)
      statuses.addPending([[recordId, status]])
      return
    }
    running.current.set(recordId, null)
    statuses.addPending([[recordId, status]])
    dismissToast(toastIdOf(target))
    const user = watchUserChange()
    let next: OrderStatus | null = null
    try {
      await sendWhenOnline(target, status, user.hasChanged)
      next = running.current.get(recordId) ?? null
      if (!user.hasChanged() && next === null) notifyChanged(target, status)
    } catch (error) {
      await handleFailure(target, status, error, user.hasChanged)
    } finally {
      user.stop()
      running.current.delete(recordId)
      statuses.removePending([recordId])
    }
    if (next === null) void invalidateOrderPages(client)
    else await change({ ...target, status }, next)
  }

  /**
   * Sends the change; without a connection it waits for one, also after the user has left the orders for another page
   * of the application. It is lost when the browser's page is closed, which asks, and when the user signs out.
   */
  async function sendWhenOnline(
    target: StatusTarget,
    status: OrderStatus,
    userChanged: () => boolean,
  ) {
    try {
      await send(target, status)
    } catch (error) {
      if (!failedOffline(error)) throw error
      toastError(`Ordine ${target.number}: «${status}» in attesa di invio`, {
        about: toastIdOf(target),
        description:
          'Sei senza connessione: la modifica parte da sola appena torna. Non chiudere la pagina.',
        lasting: true,
      })
      const endPrompt = promptBeforeUnload(() => !userChanged())
      await untilOnline()
      endPrompt()
      if (userChanged()) throw error
      dismissToast(toastIdOf(target))
      await sendWhenOnline(target, status, userChanged)
    }
  }

  async function send(target: StatusTarget, status: OrderStatus) {
    const { recordId } = target
    const order = await mutateAsync({
      params: { recordId },
      query: { was: comparableStatus(target.status) },
      body: { fields: { Stato: status } },
    })
    await setCachedOrder(client, order)
    statuses.highlight([recordId])
  }

  function notifyChanged(target: StatusTarget, status: OrderStatus) {
    // The details show the change, with its undo beside the status.
    if (hasOpenDetails(target.recordId)) return
    const former = knownStatus(target.status)
    const undo = (to: OrderStatus) => () => changeFromToast({ ...target, status }, to)
    toastSuccess(`Ordine ${target.number}: ${status}`, {
      about: toastIdOf(target),
      // An unknown status text cannot be written.
      ...(former ? { action: { label: 'Annulla modifica', run: undo(former) } } : {}),
    })
  }

  async function handleFailure(
    target: StatusTarget,
    status: OrderStatus,
    error: unknown,
    userChanged: () => boolean,
  ) {
    const code = error instanceof ApiError ? error.code : null
    if (code === 'orders.changed_meanwhile') {
      const conflict = await readConflict(target, status)
      if (conflict) {
        await setCachedOrder(client, conflict.order)
        if (!userChanged()) addConflict(conflict)
        return
      }
    }
    // After a conflict the user must look at the order before retrying.
    const toLookAt = code === 'orders.conflict' || code === 'orders.changed_meanwhile'
    if (!userChanged()) {
      toastError("Impossibile aggiornare lo stato dell'ordine", {
        about: toastIdOf(target),
        description: `Ordine ${target.number}: ${errorMessage(error)}`,
        ...(toLookAt || hasOpenDetails(target.recordId)
          ? {}
          : { action: { label: 'Riprova', run: () => changeFromToast(target, status) } }),
        lasting: true,
      })
    }
    if (code === 'orders.source_refused' || code === 'orders.conflict') {
      // The toast has reported it. Until the page is refetched the row would show the wrong status.
      await dismiss({ params: { recordId: target.recordId } }).catch(() => undefined)
      await invalidateOrderPages(client)
    }
  }

  function addConflict(conflict: Conflict) {
    const { target, wanted } = conflict
    if (target.status === wanted) {
      toastSuccess(`Ordine ${target.number}: era già «${wanted}»`, { about: toastIdOf(target) })
    } else {
      setConflicts((before) => [...before, conflict])
    }
  }

  return {
    change,
    /** The first conflict that waits for a decision. */
    conflict: conflicts[0] ?? null,
    endConflict: () => setConflicts((before) => before.slice(1)),
  }
}

function toastIdOf({ recordId }: StatusTarget): string {
  return `order-${recordId}`
}

/** Null when the order, or the code that fetches it, cannot be loaded. */
async function readConflict(target: StatusTarget, wanted: OrderStatus): Promise<Conflict | null> {
  try {
    return await (await import('./conflict-dialog.tsx')).readConflict(target, wanted)
  } catch {
    return null
  }
}
