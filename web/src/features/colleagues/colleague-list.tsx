import type { Colleague } from '@bancone/contract/colleagues'
import type { RefObject } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { type ColleagueActions, ColleagueItem } from './colleague-item.tsx'

const list = 'divide-y divide-line rounded-card border border-line bg-surface'

type ColleagueListProps = {
  colleagues: readonly Colleague[]
  actions: ColleagueActions
  focusFallback: RefObject<HTMLElement | null>
}

export function ColleagueList({ colleagues, actions, focusFallback }: ColleagueListProps) {
  const now = useNow()
  return (
    <ul aria-label="Chi lavora qui" className={list}>
      {colleagues.map((colleague) => (
        <li key={colleague.id}>
          <ColleagueItem
            colleague={colleague}
            now={now}
            actions={actions}
            focusFallback={focusFallback}
          />
        </li>
      ))}
    </ul>
  )
}

export function ColleagueListSkeleton() {
  return (
    <Loading text="Caricamento dei colleghi in corso…" className={list}>
      {['w-44', 'w-36', 'w-52'].map((width) => (
        <div key={width} className="flex gap-3 px-4 py-3.5">
          <Skeleton shape="control" className="size-8 shrink-0" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4.5 max-w-full ${width}`} />
            <Skeleton className="h-3.5 w-2/5" />
            <Skeleton className="h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
