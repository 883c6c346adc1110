import { ScrollText } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { problemText } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

type Page<E> = { events: E[] }

type AuditListProps<E> = {
  query: {
    data: { pages: Page<E>[] } | undefined
    error: Error | null
    isFetching: boolean
    isFetchNextPageError: boolean
    isFetchingNextPage: boolean
    hasNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => Promise<{ isSuccess: boolean }>
  }
  /** Explains why there is nothing. */
  empty: string
  /** The item of an event. */
  children: (event: E) => ReactNode
}

function ListSkeleton() {
  return (
    <Loading
      text="Caricamento del registro in corso…"
      className="divide-y divide-line rounded-card border border-line bg-surface"
    >
      {['w-48', 'w-64', 'w-40', 'w-56'].map((width) => (
        <div key={width} className="flex flex-col gap-2 px-4 py-3.5">
          <Skeleton className={`h-4.5 ${width}`} />
          <Skeleton className="h-3.5 w-32" />
        </div>
      ))}
    </Loading>
  )
}

/** Events of the audit log, newest first, with a button for older ones. */
export function AuditList<E>({ query, empty, children }: AuditListProps<E>) {
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
      skeleton={<ListSkeleton />}
    >
      {({ pages }) => {
        const events = pages.flatMap((page) => page.events)
        if (events.length === 0) {
          return (
            <EmptyList icon={<ScrollText />} title="Nessuna voce">
              {empty}
            </EmptyList>
          )
        }
        return (
          <>
            <ul
              ref={list}
              className="divide-y divide-line rounded-card border border-line bg-surface"
            >
              {events.map(children)}
            </ul>
            {query.isFetchNextPageError ? (
              <Alert tone="error">{problemText(query.error)}</Alert>
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
