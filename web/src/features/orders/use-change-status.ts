import { changeOrderStatus, dismissOrderNotice, type OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { dismissToast, toastError, toastResult } from '../../ui/toast.ts'
import type { Conflict, StatusTarget } from './conflict.ts'
import { followUser } from './followed-user.ts'
import { statusControlId } from './order-item.ts'
import { knownStatus } from './order-status.ts'
import { putOrder, readOrderPages } from './orders-cache.ts'
import type { PendingStatuses } from './pending-statuses.ts'

/** A longer word of the store is not sent along: the change is made as it is asked for. */
const LONGEST_WORD = 200

/**
 * Changes the status of orders, several at a time if need be. The outcome is said with a way back, or a
 * way to try again. An order that somebody has changed meanwhile is left as it is: it is in `conflict`
 * until somebody has chosen.
 */
export function useChangeStatus(statuses: PendingStatuses) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOrderStatus)
  const { mutateAsync: dismiss } = useEndpointMutation(dismissOrderNotice)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  /** The orders that are being changed here, and what was asked of them after that, by the keyboard. */
  const running = useRef(new Map<string, OrderStatus | null>())

  /** From a toast, which goes: the focus returns to where the order is changed. */
  function changeFromToast(target: StatusTarget, status: OrderStatus) {
    document.getElementById(statusControlId(target.recordId))?.focus()
    void change(target, status)
  }

  async function change(target: StatusTarget, status: OrderStatus) {
    const { recordId } = target
    const held = statuses.heldStatus(recordId)
    if (held !== undefined) {
      // A key that corrects the one before waits for it; a second click means nothing more.
      if (!running.current.has(recordId) || held === status) return
      running.current.set(recordId, status)
      statuses.hold([[recordId, status]])
      return
    }
    running.current.set(recordId, null)
    statuses.hold([[recordId, status]])
    dismissToast(aboutOrder(target))
    const user = followUser()
    let next: OrderStatus | null = null
    try {
      await send(target, status)
      next = running.current.get(recordId) ?? null
      if (!user.gone() && next === null) sayChanged(target, status)
    } catch (error) {
      await takeFailure(target, status, error, user.gone)
    } finally {
      user.stop()
      running.current.delete(recordId)
      statuses.release([recordId])
    }
    if (next === null) void readOrderPages(client)
    else await change({ ...target, status }, next)
  }

  async function send(target: StatusTarget, status: OrderStatus) {
    const { recordId } = target
    const was = target.status.length > LONGEST_WORD ? undefined : target.status
    const order = await mutateAsync({
      params: { recordId },
      query: { was },
      body: { fields: { Stato: status } },
    })
    await putOrder(client, order)
    statuses.flash([recordId])
  }

  function sayChanged(target: StatusTarget, status: OrderStatus) {
    const former = knownStatus(target.status)
    const undo = (to: OrderStatus) => () => changeFromToast({ ...target, status }, to)
    toastResult(`Ordine ${target.number}: ${status}`, {
      about: aboutOrder(target),
      // A foreign word of the store cannot be written again.
      ...(former ? { action: { label: 'Annulla modifica', run: undo(former) } } : {}),
    })
  }

  async function takeFailure(
    target: StatusTarget,
    status: OrderStatus,
    error: unknown,
    userGone: () => boolean,
  ) {
    const code = error instanceof ApiError ? error.code : null
    if (code === 'orders.changed_meanwhile') {
      const conflict = await readConflict(target, status)
      if (conflict) {
        await putOrder(client, conflict.order)
        if (!userGone()) takeConflict(conflict)
        return
      }
    }
    // What somebody else has changed meanwhile is to be looked at first.
    const toLookAt = code === 'orders.conflict' || code === 'orders.changed_meanwhile'
    if (!userGone()) {
      toastError("Impossibile aggiornare lo stato dell'ordine", {
        about: aboutOrder(target),
        description: `Ordine ${target.number}: ${errorMessage(error)}`,
        ...(toLookAt
          ? {}
          : { action: { label: 'Riprova', run: () => changeFromToast(target, status) } }),
        lasting: true,
      })
    }
    if (code === 'orders.source_refused' || code === 'orders.conflict') {
      // The toast has told it. Until the page is read again its row would show what no longer holds.
      await dismiss({ params: { recordId: target.recordId } }).catch(() => undefined)
      await readOrderPages(client)
    }
  }

  function takeConflict(conflict: Conflict) {
    const { target, wanted } = conflict
    if (target.status === wanted) {
      toastResult(`Ordine ${target.number}: era già «${wanted}»`, { about: aboutOrder(target) })
    } else {
      setConflicts((before) => [...before, conflict])
    }
  }

  return {
    change,
    /** The first of those that wait for somebody to choose. */
    conflict: conflicts[0] ?? null,
    endConflict: () => setConflicts((before) => before.slice(1)),
  }
}

function aboutOrder({ recordId }: StatusTarget): string {
  return `order-${recordId}`
}

/** Null when what has become of the order, or the code that asks, cannot be had. */
async function readConflict(target: StatusTarget, wanted: OrderStatus): Promise<Conflict | null> {
  try {
    return await (await import('./conflict.ts')).readConflict(target, wanted)
  } catch {
    return null
  }
}
