import {
  changePriorityVisit,
  getPriorityBoard,
  type PriorityStatus,
  type PriorityVisit,
  UNDO_CALL_MS,
} from '@bancone/contract/priority'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { dismissToast, toastError, toastSuccess } from '../../../ui/toast.ts'
import { deskName } from '../desk.ts'
import { customerName, lostRaceText } from '../visit-texts.ts'
import { withVisit } from './board-changes.ts'

const CALL = 'priority-call'
const CHANGE = 'priority-change'
const GONE = new Set(['priority.not_found', 'priority.no_such_change'])

/** What was done to a visit, in words. */
const done: Partial<Record<PriorityStatus, string>> = {
  user_arrived: 'Cliente rimesso in attesa',
  link_sent: 'Segnato come non presente',
  no_show: 'Segnato come non presente',
  served: 'Segnato come consegnato',
}

/** Moves visits from state to state, and tells how that went. */
export function useVisitChange() {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changePriorityVisit)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const changing = useRef(new Set<string>())
  const lastCall = useRef<PriorityVisit>(null)

  function mark(id: string, on: boolean) {
    if (on) changing.current.add(id)
    else changing.current.delete(id)
    setBusy(new Set(changing.current))
  }

  /** @returns the visit after the change; null when it was not changed */
  async function move(visit: PriorityVisit, to: PriorityStatus): Promise<PriorityVisit | null> {
    if (changing.current.has(visit.id)) return null
    mark(visit.id, true)
    try {
      const moved = await mutateAsync({
        params: { visitId: visit.id },
        body: { from: visit.status, to, desk: deskName() },
      })
      await updateCached(client, getPriorityBoard, (board) => withVisit(board, moved))
      return moved
    } catch (error) {
      explain(error, visit, to)
      return null
    } finally {
      mark(visit.id, false)
    }
  }

  function explain(error: unknown, visit: PriorityVisit, to: PriorityStatus) {
    const code = error instanceof ApiError ? error.code : null
    const wasFirst = error instanceof ApiError && code === 'priority.changed_meanwhile'
    if (wasFirst || (code !== null && GONE.has(code))) {
      void client.invalidateQueries({ queryKey: endpointKey(getPriorityBoard) })
    }
    if (wasFirst) {
      toastError(lostRaceText(error), { about: CHANGE, description: customerName(visit) })
      return
    }
    const failed =
      to === 'called'
        ? 'Errore nella chiamata del cliente'
        : 'Impossibile aggiornare lo stato del cliente'
    toastError(failed, { about: CHANGE, description: errorMessage(error) })
  }

  async function call(visit: PriorityVisit) {
    const called = await move(visit, 'called')
    if (called === null) return
    lastCall.current = called
    setTimeout(() => {
      if (lastCall.current === called) lastCall.current = null
    }, UNDO_CALL_MS)
    toastSuccess('Cliente chiamato e servizio completato!', {
      about: CALL,
      description: `${customerName(called)} · codice ${called.code}`,
      action: { label: 'Annulla', run: undo },
      milliseconds: UNDO_CALL_MS,
    })
  }

  /** Takes back the last call of this page, for ten seconds. */
  function undo() {
    const last = lastCall.current
    if (last === null) return
    lastCall.current = null
    dismissToast(CALL)
    void move(last, 'user_arrived').then((back) => {
      if (back) toastSuccess('Chiamata annullata', { description: customerName(back) })
    })
  }

  async function change(visit: PriorityVisit, to: PriorityStatus) {
    if (lastCall.current?.id === visit.id) {
      lastCall.current = null
      dismissToast(CALL)
    }
    const moved = await move(visit, to)
    const text = done[to]
    if (moved && text) toastSuccess(text, { about: CHANGE, description: customerName(moved) })
  }

  return {
    /** Ids of the visits that are being changed. */
    busy,
    call: (visit: PriorityVisit) => void call(visit),
    undo,
    change: (visit: PriorityVisit, to: PriorityStatus) => void change(visit, to),
  }
}

export type VisitChange = ReturnType<typeof useVisitChange>
