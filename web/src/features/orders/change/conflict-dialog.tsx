import { getOrder, type OrderDetails, type OrderEvent } from '@bancone/contract/order-details'
import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { formatMoment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { OrderView } from '../data/order-view.ts'

/** The part of an order needed to change its status. Toasts must not contain customer data. */
export type StatusTarget = Pick<OrderView, 'recordId' | 'number' | 'status'>

/** Another user has changed an order that this user was about to change. */
export type Conflict = {
  /** With its current status. */
  target: StatusTarget
  wanted: OrderStatus
  /** The event that set the current status; null when the history does not contain it. */
  change: OrderEvent | null
  /** The current order. */
  order: OrderRecord
}

/** Fetches the order and its history after a conflict. */
export async function readConflict(target: StatusTarget, wanted: OrderStatus): Promise<Conflict> {
  const details = await call(getOrder, { params: { recordId: target.recordId } })
  return conflictOf(target, wanted, details)
}

export function conflictOf(
  { recordId, number }: StatusTarget,
  wanted: OrderStatus,
  { order, history }: OrderDetails,
): Conflict {
  const status = order.fields.Stato
  const change = history.find(({ kind, to }) => kind === 'status' && to === status) ?? null
  return { target: { recordId, number, status }, wanted, change, order }
}

function whoText({ who, source }: OrderEvent): string | null {
  if (source === 'airtable') return 'da Airtable'
  if (source === 'api') return 'tramite API'
  if (who === null) return null
  if (!who.you) return who.name
  return who.here ? 'tu, da questo dispositivo' : 'tu, da un altro dispositivo'
}

/** Who changed the status and when: 'Maria, alle 10:42'. With the date when it was not today. */
export function byWhom(change: OrderEvent, now: number): string {
  const when = formatMoment(change.at, now).replace(/^delle /, 'alle ')
  return [whoText(change), when].filter((part) => part !== null).join(', ')
}

type ConflictDialogProps = {
  conflict: Conflict
  onKeep: () => void
  /** Sends the change again without comparing, overwriting the other user's change. */
  onOverwrite: () => void
  onReturnFocus: () => void
}

/** Shown when another user has changed the order meanwhile: keep that status, or overwrite it. */
export function ConflictDialog({
  conflict,
  onKeep,
  onOverwrite,
  onReturnFocus,
}: ConflictDialogProps) {
  const { target, wanted, change } = conflict
  const [now] = useState(() => Date.now())
  const status = target.status || 'Senza stato'
  const by = change ? ` (${byWhom(change, now)})` : ''
  return (
    <Dialog
      title="Ordine cambiato nel frattempo"
      text={`Ordine ${target.number}: nel frattempo è diventato «${status}»${by}. Tu volevi «${wanted}».`}
      onClose={onKeep}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button look="primary" onClick={onKeep}>{`Lascia «${status}»`}</Button>
          <Button onClick={onOverwrite}>{`Imposta «${wanted}»`}</Button>
        </>
      }
    />
  )
}
