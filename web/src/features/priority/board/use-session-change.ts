import {
  changePrioritySession,
  getPriorityBoard,
  type PrioritySession,
  type PriorityStatus,
  UNDO_MS,
  undoPriorityChange,
} from '@bancone/contract/priority'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { dismissToast, toastError, toastSuccess } from '../../../ui/toast.ts'
import { deskName } from '../desk.ts'
import { customerName, lostRaceText } from '../priority-texts.ts'
import { withSession } from './board-changes.ts'

const CHANGE = 'priority-change'
const FAILED = 'Impossibile aggiornare lo stato del cliente'
const GONE = new Set(['priority.not_found', 'priority.no_such_change'])

/** What was done to a session, in words. */
const done: Partial<Record<PriorityStatus, string>> = {
  called: 'Cliente chiamato e servizio completato!',
  user_arrived: 'Cliente rimesso in attesa',
  link_sent: 'Segnato come non presente',
  no_show: 'Segnato come non presente',
  served: 'Segnato come consegnato',
}

/**
 * Moves sessions from state to state, and tells how that went.
 *
 * @param takeFocus of the undo's button, which disappears
 */
export function useSessionChange(takeFocus: () => void) {
  const client = useQueryClient()
  const { mutateAsync: change } = useEndpointMutation(changePrioritySession)
  const { mutateAsync: takeBack } = useEndpointMutation(undoPriorityChange)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const changing = useRef(new Set<string>())

  function mark(id: string, on: boolean) {
    if (on) changing.current.add(id)
    else changing.current.delete(id)
    setBusy(new Set(changing.current))
  }

  /** @returns the session after the change; null when it was not changed */
  async function send(
    session: PrioritySession,
    failed: string,
    request: () => Promise<PrioritySession>,
  ): Promise<PrioritySession | null> {
    if (changing.current.has(session.id)) return null
    mark(session.id, true)
    try {
      const moved = await request()
      await updateCached(client, getPriorityBoard, (board) => withSession(board, moved))
      return moved
    } catch (error) {
      explain(error, session, failed)
      return null
    } finally {
      mark(session.id, false)
    }
  }

  function explain(error: unknown, session: PrioritySession, failed: string) {
    const code = error instanceof ApiError ? error.code : null
    const wasFirst = error instanceof ApiError && code === 'priority.changed_meanwhile'
    if (wasFirst || (code !== null && GONE.has(code))) {
      void client.invalidateQueries({ queryKey: endpointKey(getPriorityBoard) })
    }
    if (wasFirst) {
      toastError(lostRaceText(error), { about: CHANGE, description: customerName(session) })
      return
    }
    toastError(failed, { about: CHANGE, description: errorMessage(error) })
  }

  async function move(session: PrioritySession, to: PriorityStatus) {
    const { id, status, version } = session
    const failed = to === 'called' ? 'Errore nella chiamata del cliente' : FAILED
    const moved = await send(session, failed, () =>
      change({
        params: { prioritySessionId: id },
        body: { from: status, to, version, desk: deskName() },
      }),
    )
    if (moved === null) return
    const name = customerName(moved)
    toastSuccess(done[to] ?? 'Stato del cliente aggiornato', {
      about: CHANGE,
      description: to === 'called' && moved.code ? `${name} · codice ${moved.code}` : name,
      action: { label: 'Annulla', run: () => undo(moved) },
      milliseconds: UNDO_MS,
    })
  }

  function undo(last: PrioritySession) {
    takeFocus()
    dismissToast(CHANGE)
    void send(last, FAILED, () =>
      takeBack({ params: { prioritySessionId: last.id }, body: { version: last.version } }),
    ).then((back) => {
      if (back === null) return
      const text = last.status === 'called' ? 'Chiamata annullata' : 'Operazione annullata'
      toastSuccess(text, { about: CHANGE, description: customerName(back) })
    })
  }

  return {
    /** Ids of the sessions that are being changed. */
    busy,
    call: (session: PrioritySession) => void move(session, 'called'),
    change: (session: PrioritySession, to: PriorityStatus) => void move(session, to),
  }
}

export type SessionChange = ReturnType<typeof useSessionChange>
