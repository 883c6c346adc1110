import { BookmarkPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorMessage } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import type { OrdersListQuery } from './orders-search.ts'
import { useChangeViews } from './use-change-views.ts'
import { isView, useViews, viewSearch } from './views-active.ts'
import { ViewForm } from './views-form.tsx'
import { ViewItem } from './views-item.tsx'

type ViewsPanelProps = {
  query: OrdersListQuery
  /** The links replace the current history entry. */
  replace?: boolean
  /** Called when a view was chosen. */
  onChosen?: () => void
}

/** The saved views, and a form to save the current query as one. */
export function ViewsPanel({ query, replace = false, onChosen }: ViewsPanelProps) {
  const { data, error, refetch } = useViews()
  const change = useChangeViews()
  const [adding, setAdding] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const views = data?.views
  const search = viewSearch(query)
  const toSave = views?.some((view) => isView(view, query)) ? null : search
  const focusPlace = () => place.current?.focus()

  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-1 outline-none">
      {views && views.length > 0 ? (
        <ul aria-label="Viste salvate" className="flex flex-col gap-1">
          {views.map((view) => (
            <ViewItem
              key={view.id}
              view={view}
              query={query}
              change={change}
              replace={replace}
              onChosen={onChosen}
              onDrop={focusPlace}
            />
          ))}
        </ul>
      ) : null}
      {views?.length === 0 ? (
        <p className="px-2.5 py-2 text-muted">
          Una vista ricorda una ricerca e i suoi filtri con un nome, per tutta la farmacia.
          {search === null ? ' Imposta un filtro, poi salvalo qui.' : null}
        </p>
      ) : null}
      {views === undefined && error ? (
        <RetryAlert onRetry={() => void refetch()}>{errorMessage(error)}</RetryAlert>
      ) : null}
      {views === undefined && !error ? (
        <Loading text="Caricamento delle viste in corso…" className="flex flex-col gap-2 p-2.5">
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-4/5" />
        </Loading>
      ) : null}
      {adding && toSave ? (
        <ViewForm
          title="Salva questa vista"
          name=""
          onSave={async (name) => {
            await change.save(name, toSave)
            setAdding(false)
            focusPlace()
          }}
          onCancel={() => setAdding(false)}
        />
      ) : null}
      {!adding && toSave && views ? (
        <Button className="mt-1" onClick={() => setAdding(true)}>
          <BookmarkPlus aria-hidden />
          Salva questa vista
        </Button>
      ) : null}
    </div>
  )
}
