import { getPriorityBoard, type PriorityBoard } from '@bancone/contract/priority'
import { useState } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'

/** How often the board is read beneath the realtime events. */
const RELOAD_MS = 10_000
/** After more failures in a row than this the user is advised to reload the page. */
const MAX_FAILURES = 5

export type BoardConnection = 'connected' | 'error' | 'connecting'

export type BoardState = {
  board: PriorityBoard | undefined
  error: Error | null
  connection: BoardConnection
  /** More than five readings in a row have failed. */
  failing: boolean
  refreshing: boolean
  /** @returns whether it was read */
  reload: () => Promise<boolean>
}

/** The board of the page, read every ten seconds. The events of the realtime channel are handled on every page. */
export function useBoard(): BoardState {
  const query = useEndpoint(
    getPriorityBoard,
    {},
    { refetchInterval: RELOAD_MS, refetchIntervalInBackground: true },
  )
  const { data, error, dataUpdatedAt, errorUpdateCount, isFetching, refetch } = query
  const [success, setSuccess] = useState({ at: dataUpdatedAt, failures: errorUpdateCount })
  if (success.at !== dataUpdatedAt) setSuccess({ at: dataUpdatedAt, failures: errorUpdateCount })

  return {
    board: data,
    error,
    connection: error ? 'error' : data === undefined ? 'connecting' : 'connected',
    failing: error !== null && errorUpdateCount - success.failures > MAX_FAILURES,
    refreshing: isFetching,
    reload: async () => (await refetch()).isSuccess,
  }
}
