import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import type { CallOptions } from '../lib/api.ts'
import { problemText } from '../lib/use-action.ts'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { QueryStates } from './query-states.tsx'

type Page = { events: { id: string }[]; hasMore: boolean }

/** Pages of events, newest first. @param load the events before the one with the id */
export function useEventPages<P extends Page>(
  queryKey: QueryKey,
  load: (before: string | undefined, options: CallOptions) => Promise<P>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, { signal, readOnly: true }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ events, hasMore }) => (hasMore ? events.at(-1)?.id : undefined),
  })
}

type Pages<E> = { pages: { events: E[] }[] }

type EventPagesProps<E> = {
  query: ComponentProps<typeof QueryStates<Pages<E>>>['query'] & {
    isFetchNextPageError: boolean
    isFetchingNextPage: boolean
    hasNextPage: boolean
    fetchNextPage: () => Promise<{ isSuccess: boolean }>
  }
  /** Text for an unknown error of the authentication service. */
  otherwise?: string
  skeleton: ReactNode
  /** Shown when there are no events. */
  empty: ReactNode
  /** Shown above the events. */
  renderAbove?: (events: E[]) => ReactNode
  /** Classes of the list. */
  className: string
  /** The item of an event. */
  children: (event: E) => ReactNode
}

/** Events, newest first, with a button for older ones. */
export function EventPages<E>(props: EventPagesProps<E>) {
  const { query, otherwise, skeleton, empty, renderAbove, className, children } = props
  const list = useRef<HTMLUListElement>(null)

  async function more() {
    const shown = list.current?.children.length ?? 0
    const { isSuccess } = await query.fetchNextPage()
    // The button may have disappeared with the last page: focuses the first new event.
    requestAnimationFrame(() => {
      const next = list.current?.children.item(shown)
      if (isSuccess && next instanceof HTMLElement) {
        next.tabIndex = -1
        next.focus()
      }
    })
  }

  return (
    <QueryStates
      // The error of loading older events is shown beside the button.
      query={{ ...query, error: query.isFetchNextPageError ? null : query.error }}
      {...(otherwise !== undefined && { otherwise })}
      skeleton={skeleton}
    >
      {({ pages }) => {
        const events = pages.flatMap((page) => page.events)
        if (events.length === 0) return empty
        return (
          <>
            {renderAbove?.(events)}
            <ul ref={list} className={className}>
              {events.map(children)}
            </ul>
            {query.isFetchNextPageError ? (
              <Alert tone="error">{problemText(query.error, otherwise)}</Alert>
            ) : null}
            {query.hasNextPage ? (
              <Button
                className="self-start"
                inactive={query.isFetchingNextPage}
                onClick={() => void more()}
              >
                {query.isFetchingNextPage ? 'Caricamento…' : 'Mostra altre'}
              </Button>
            ) : null}
          </>
        )
      }}
    </QueryStates>
  )
}
