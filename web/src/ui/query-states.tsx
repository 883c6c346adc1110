import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { problemText } from '../lib/use-action.ts'
import { RetryAlert } from './retry-alert.tsx'

type QueryStatesProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching'> & { refetch: () => unknown }
  /** What has failed, above the reason. */
  title?: string
  /** Text for an unknown error of the authentication service. */
  otherwise?: string
  /** Shown while the query is loading. */
  skeleton: ReactNode
  /** The data, or why there is none. */
  children: (data: T) => ReactNode
}

/**
 * The states of a query: loading, error with a button to try again, data. After a failed refetch the earlier data stays
 * on the screen.
 */
export function QueryStates<T>({
  query,
  title,
  otherwise,
  skeleton,
  children,
}: QueryStatesProps<T>) {
  const { data, error, isFetching, refetch } = query
  return (
    <>
      {error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          {title ? <p className="font-medium">{title}</p> : null}
          <p>{problemText(error, otherwise)}</p>
        </RetryAlert>
      ) : null}
      {data === undefined ? (error ? null : skeleton) : children(data)}
    </>
  )
}
