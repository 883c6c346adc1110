import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  type OrderView,
  removeOrderView,
  VIEW_NAME_LENGTH,
  type ViewSearch,
} from '@bancone/contract/order-views'
import { paths } from '@bancone/contract/pages'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus, Ellipsis } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { FIRST_PAGE } from '../data/orders-cache.ts'
import { formatOrdersUrl, type OrdersListQuery } from '../data/orders-search.ts'
import { filterTexts } from './filter-texts.ts'
import { sortings } from './sorting.tsx'
import { isView, useViews, viewSearch } from './views-active.ts'

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
        <LinesSkeleton
          what="delle viste"
          lines={['w-3/5', 'w-4/5']}
          line="h-4"
          className="gap-2 p-2.5"
        />
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

type ViewItemProps = {
  view: OrderView
  query: OrdersListQuery
  change: ReturnType<typeof useChangeViews>
  /** The link replaces the current history entry. */
  replace: boolean
  onChosen: (() => void) | undefined
  /** Called when the item removes itself, and the focus with it. */
  onDrop: () => void
}

function described({ search }: OrderView): string {
  const sorting = sortings.find(({ sort }) => sort === search.ordina)?.text ?? null
  return [...filterTexts({ ...FIRST_PAGE, ...search }), sorting].filter(Boolean).join(' • ')
}

/** A saved view: a link, and a menu button with its actions. */
function ViewItem(props: ViewItemProps) {
  const { view, query, change, replace, onChosen, onDrop } = props
  const id = useId()
  const [mode, setMode] = useState<'closed' | 'open' | 'naming'>('closed')
  const active = isView(view, query)
  const search = active ? null : viewSearch(query)
  const address = formatOrdersUrl({ ...FIRST_PAGE, pageSize: query.pageSize, ...view.search })
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-center gap-1">
        <Link
          to={{ pathname: paths.dashboard, ...address }}
          replace={replace}
          aria-current={active ? 'true' : undefined}
          onClick={onChosen}
          className={cn(
            'flex min-h-11 min-w-0 flex-1 flex-col justify-center rounded-md px-2.5 py-1 leading-snug hover:bg-sunken',
            active && 'bg-accent-soft text-accent',
          )}
        >
          <span className="truncate font-medium">{view.name}</span>
          <span className={cn('truncate text-xs', active || 'text-muted')}>{described(view)}</span>
        </Link>
        <Button
          look="quiet"
          size="square"
          className="shrink-0"
          aria-label={`Modifica la vista ${view.name}`}
          aria-expanded={mode !== 'closed'}
          aria-controls={`${id}-actions`}
          onClick={() => setMode(mode === 'closed' ? 'open' : 'closed')}
        >
          <Ellipsis aria-hidden />
        </Button>
      </div>
      <div id={`${id}-actions`} className="flex flex-wrap gap-1.5 pb-1.5 pl-1 empty:hidden">
        {mode === 'open' ? (
          <>
            <Button size="small" onClick={() => setMode('naming')}>
              Rinomina
            </Button>
            {search ? (
              <Button size="small" onClick={() => void change.update(view, search)}>
                Aggiorna con i filtri attuali
              </Button>
            ) : null}
            <Button
              size="small"
              className="text-danger"
              onClick={() => {
                onDrop()
                void change.remove(view)
              }}
            >
              Elimina
            </Button>
          </>
        ) : null}
        {mode === 'naming' ? (
          <div className="flex-1">
            <ViewForm
              title={`Rinomina la vista ${view.name}`}
              name={view.name}
              onSave={async (name) => {
                await change.rename(view, name)
                setMode('closed')
              }}
              onCancel={() => setMode('open')}
            />
          </div>
        ) : null}
      </div>
    </li>
  )
}

const Named = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Scrivi un nome per la vista.'),
      z.maxLength(VIEW_NAME_LENGTH, `Usa al massimo ${VIEW_NAME_LENGTH} caratteri.`),
    ),
})

type ViewFormProps = {
  /** Accessible name of the form. */
  title: string
  name: string
  /** @throws when the name could not be saved; the error is shown at the field */
  onSave: (name: string) => Promise<void>
  onCancel: () => void
}

/** A form for the name of a view. */
function ViewForm({ title, name, onSave, onCancel }: ViewFormProps) {
  const form = useForm({ resolver: zodResolver(Named), defaultValues: { name } })
  const { setFocus, setError } = form
  const { isSubmitting } = form.formState
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])

  const submit = form.handleSubmit(async (named) => {
    try {
      await onSave(named.name)
    } catch (error) {
      setError('name', { message: errorMessage(error) })
      setFocus('name')
    }
  })

  return (
    <form
      noValidate
      aria-label={title}
      onSubmit={submit}
      className="flex flex-col gap-2.5 rounded-control bg-sunken p-2.5"
    >
      <TextField
        label="Nome della vista"
        autoComplete="off"
        maxLength={VIEW_NAME_LENGTH}
        {...formFields(form)('name')}
      />
      <div className="flex gap-2">
        <Button className="flex-1" onClick={onCancel}>
          Annulla
        </Button>
        <Button type="submit" look="primary" className="flex-1" inactive={isSubmitting}>
          Salva
        </Button>
      </div>
    </form>
  )
}

const about = 'order-views'

/** Mutations of saved views. Toasts do not contain a view's name: it may be the name of a customer. */
function useChangeViews() {
  const client = useQueryClient()

  async function changed<T>(work: Promise<T>) {
    try {
      await work
    } finally {
      // Also after a failure: the view may have been removed or changed on another device.
      await client.invalidateQueries({ queryKey: endpointKey(listOrderViews) })
    }
  }

  /** Reports a failure as a toast, where there is no field for it. */
  async function reportingFailure<T>(failure: string, work: Promise<T>): Promise<boolean> {
    try {
      await changed(work)
      return true
    } catch (error) {
      toastError(failure, { about, description: errorMessage(error) })
      return false
    }
  }

  const put = (name: string, search: ViewSearch) => call(addOrderView, { body: { name, search } })

  return {
    /** @throws when it could not be saved */
    save: (name: string, search: ViewSearch) => changed(put(name, search)),
    /** @throws when it could not be saved */
    rename: ({ id }: OrderView, name: string) =>
      changed(call(changeOrderView, { params: { viewId: id }, body: { name } })),
    async update({ id }: OrderView, search: ViewSearch) {
      const work = call(changeOrderView, { params: { viewId: id }, body: { search } })
      if (await reportingFailure('Impossibile aggiornare la vista', work)) {
        toastSuccess('Vista aggiornata con i filtri attuali', { about })
      }
    },
    async remove({ id, name, search }: OrderView) {
      const work = call(removeOrderView, { params: { viewId: id } })
      if (!(await reportingFailure('Impossibile eliminare la vista', work))) return
      const run = () =>
        void reportingFailure('Impossibile ripristinare la vista', put(name, search))
      toastSuccess('Vista eliminata', { about, action: { label: 'Annulla', run } })
    },
  }
}
