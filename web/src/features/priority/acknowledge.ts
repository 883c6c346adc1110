import { getPriorityBoard } from '@bancone/contract/priority'
import { acknowledgeArrivals } from '@bancone/contract/priority-counters'
import { useQueryClient } from '@tanstack/react-query'
import { updateCached, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError } from '../../ui/toast.ts'
import { withAcknowledged } from './board/board-changes.ts'

/** The most arrivals of one call. */
const MAX_IDS = 100

/** Takes note of arrivals, which ends their sound on all screens. */
export function useAcknowledge() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(acknowledgeArrivals)

  async function acknowledge(ids: readonly string[]) {
    const visitIds = ids.slice(0, MAX_IDS)
    if (visitIds.length === 0) return
    try {
      await mutateAsync({ body: { visitIds } })
      const at = new Date().toISOString()
      await updateCached(client, getPriorityBoard, (board) => withAcknowledged(board, visitIds, at))
    } catch (error) {
      toastError("Impossibile prendere nota dell'arrivo", {
        about: 'acknowledgement',
        description: errorMessage(error),
      })
    }
  }

  return { acknowledge: (ids: readonly string[]) => void acknowledge(ids), busy: isPending }
}
