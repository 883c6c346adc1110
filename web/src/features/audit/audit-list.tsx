import { ScrollText } from 'lucide-react'
import type { ComponentProps } from 'react'
import { EmptyList } from '../../ui/empty-state.tsx'
import { EventPages } from '../../ui/event-pages.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

type AuditListProps<E> = Pick<ComponentProps<typeof EventPages<E>>, 'query' | 'children'> & {
  /** Explains why there is nothing. */
  empty: string
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
export function AuditList<E>({ empty, ...events }: AuditListProps<E>) {
  return (
    <EventPages
      skeleton={<ListSkeleton />}
      empty={
        <EmptyList icon={<ScrollText />} title="Nessuna voce">
          {empty}
        </EmptyList>
      }
      className="divide-y divide-line rounded-card border border-line bg-surface"
      {...events}
    />
  )
}
