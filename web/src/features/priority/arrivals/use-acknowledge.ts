import {
  getPriorityBoard,
  type PriorityBoard,
  type PrioritySession,
} from '@bancone/contract/priority'
import { acknowledgeArrivals } from '@bancone/contract/priority-counters'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { updateCached, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { createStoredValue } from '../../../lib/stored-value.ts'
import { toastError } from '../../../ui/toast.ts'
import { unacknowledged, withAcknowledged } from '../board/board-changes.ts'
import { arrivalKey } from '../board/fresh-arrivals.ts'

/** The most arrivals of one call. */
const MAX_IDS = 100

/** Whether the server has refused, so that asking again would be of no use. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  )
}

/**
 * Takes note of arrivals. This device is silent at once, and the others when the server knows, which is tried with
 * every reading of the board until it succeeds.
 *
 * @param readAt when the board was last read, milliseconds since 1970
 */
export function useAcknowledge(board: PriorityBoard | undefined, readAt: number) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(acknowledgeArrivals)
  const isAcknowledgedHere = useAcknowledgedHere()
  const sending = useRef(false)
  const open = unacknowledged(board)

  async function send(
    sessions: readonly PrioritySession[],
    onUnreachable: (error: unknown) => void,
  ) {
    const prioritySessionIds = sessions.slice(0, MAX_IDS).map(({ id }) => id)
    if (prioritySessionIds.length === 0 || sending.current) return
    sending.current = true
    try {
      await mutateAsync({ body: { prioritySessionIds } })
      const at = new Date().toISOString()
      await updateCached(client, getPriorityBoard, (read) =>
        withAcknowledged(read, prioritySessionIds, at),
      )
    } catch (error) {
      if (isRefusal(error)) {
        withdrawAcknowledgement(sessions)
        toastError("Impossibile prendere nota dell'arrivo", {
          about: 'acknowledgement',
          description: errorMessage(error),
        })
      } else onUnreachable(error)
    } finally {
      sending.current = false
    }
  }

  const resend = useEffectEvent(() => void send(open.filter(isAcknowledgedHere), () => undefined))
  useEffect(() => {
    if (readAt > 0) resend()
  }, [readAt])

  return {
    /** The arrivals that no operator has acknowledged, as far as this device knows. */
    news: open.filter((session) => !isAcknowledgedHere(session)),
    acknowledge(sessions: readonly PrioritySession[]) {
      acknowledgeHere(sessions)
      void send(sessions, (error) =>
        toastError('Il suono è spento solo su questo dispositivo', {
          about: 'acknowledgement',
          description: `${errorMessage(error)} Gli altri schermi suonano finché torna la connessione.`,
        }),
      )
    },
  }
}

// In all tabs of the device, because another tab would go on with the sound.
const acknowledged = createStoredValue('bancone-acknowledged')
/** More than can wait at a counter. */
const MAX_STORED = 200

function stored(): string {
  return acknowledged.get() ?? ''
}

function store(keys: readonly string[]) {
  acknowledged.set(keys.slice(-MAX_STORED).join(' '))
}

/** Ends the sound of arrivals on this device, whether or not the server can be reached. */
function acknowledgeHere(sessions: readonly PrioritySession[]) {
  store([...new Set([...stored().split(' '), ...sessions.map(arrivalKey)])])
}

/** The server has refused an acknowledgement. */
function withdrawAcknowledgement(sessions: readonly PrioritySession[]) {
  const withdrawn = new Set(sessions.map(arrivalKey))
  store(
    stored()
      .split(' ')
      .filter((key) => !withdrawn.has(key)),
  )
}

/** @returns whether an arrival was acknowledged on this device */
function useAcknowledgedHere(): (session: PrioritySession) => boolean {
  const keys = useSyncExternalStore(acknowledged.subscribe, stored).split(' ')
  return (session) => keys.includes(arrivalKey(session))
}
