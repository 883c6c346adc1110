import type { ErrorCode } from '@bancone/contract/errors'
import { Plus } from 'lucide-react'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
  useRef,
} from 'react'
import { z } from 'zod/mini'
import { hasCode } from '../lib/api.ts'
import { MAX_LETTERS } from '../lib/list-search.ts'
import { errorMessage } from '../lib/messages.ts'
import { searchParamsFormat, useUrlFilter } from '../lib/url-filter.ts'
import { type GuardedOverlay, useGuardedOverlay } from '../lib/use-guarded-overlay.ts'
import { useMediaQuery, WIDE } from '../lib/use-media-query.ts'
import { useOpened } from '../lib/use-opened.ts'
import { Button } from './button.tsx'
import { CardListSkeleton } from './card-list-skeleton.tsx'
import { cn } from './class-names.ts'
import { type Column, DataTable } from './data-table.tsx'
import { ItemMenu } from './item-menu.tsx'
import { PageTitle } from './page-title.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { SearchedList, type SearchedListTexts } from './searched-list.tsx'

const listUrl = searchParamsFormat(
  z.object({ q: z.catch(z.string().check(z.maxLength(MAX_LETTERS)), '') }),
)

type NamedItem = { id: string; name: string; description: string | null }

/** Props of the sheet that creates an item, or edits it. */
export type ItemSheetProps<Item> = {
  /** Null for a new item. */
  item: Item | null
  overlay: GuardedOverlay
  onReturnFocus: () => void
}

type ListTexts = Omit<SearchedListTexts, 'placeholder'> & {
  title: string
  /** Label of the button that creates an item. */
  create: string
  loading: string
  /** Read out before the table. */
  caption: string
}

type Removal = Pick<ComponentProps<typeof RemovalDialog>, 'text' | 'goneCode' | 'list' | 'done'> & {
  /** 'Eliminare il piano': the name follows. */
  question: string
  remove: (id: string) => Promise<unknown>
  /** Before the reason of a failure. */
  failed: string
  /** The error that says how often the item is used. */
  inUse: { code: ErrorCode; detail: string; text: (count: number) => string }
}

function removalFailure(error: unknown, { failed, inUse }: Pick<Removal, 'failed' | 'inUse'>) {
  const count = hasCode(error, inUse.code) ? error.details?.[inUse.detail] : undefined
  return typeof count === 'number' ? inUse.text(count) : `${failed} ${errorMessage(error)}`
}

type ListParts<Item> = {
  nameWidth: string
  /** The columns between the description and the menu, and their cells. */
  columns: readonly (Column & { cell: (item: Item) => ReactNode; className?: string })[]
  /** What a card shows below name and description. */
  Card: ComponentType<Item>
  cardClassName: string
}

type NamedListPageProps<Item> = ListParts<Item> & {
  query: ComponentProps<typeof SearchedList<Item>>['query']
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined
  texts: ListTexts
  icon: ReactNode
  /** Offers to create an item also where there is none. */
  createsFromEmpty?: boolean
  /** Name of the overlay entry that edits an item. */
  overlay: string
  Sheet: ComponentType<ItemSheetProps<Item>>
  removal: Removal
}

/** A page of items with a name and a description, which are searched, created, edited and deleted there. */
export function NamedListPage<Item extends NamedItem>(props: NamedListPageProps<Item>) {
  const { query, items, texts, icon, createsFromEmpty = false, overlay, Sheet } = props
  const url = useUrlFilter(listUrl)
  const newButton = useRef<HTMLButtonElement>(null)
  const creating = useGuardedOverlay(`new-${overlay}`)
  const editing = useGuardedOverlay(overlay)
  const changing = useOpened<Item>(newButton)
  const removing = useOpened<Item>(newButton)
  const { item: removed } = removing
  const { question, remove, failed, inUse, ...dialog } = props.removal
  const edit: typeof changing.open = (item, opener) => {
    changing.open(item, opener)
    editing.open()
  }
  const create = (ref?: RefObject<HTMLButtonElement | null>) => (
    <Button ref={ref} look="primary" aria-haspopup="dialog" onClick={creating.open}>
      <Plus aria-hidden />
      {texts.create}
    </Button>
  )

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>{texts.title}</PageTitle>
        {create(newButton)}
      </div>
      <SearchedList
        query={query}
        items={items}
        textsOf={({ name, description }) => [`${name} ${description ?? ''}`]}
        url={url}
        texts={{ placeholder: 'Nome o descrizione', ...texts }}
        icon={icon}
        skeleton={<CardListSkeleton text={texts.loading} />}
        emptyAction={createsFromEmpty ? create() : undefined}
      >
        {(found) => (
          <NamedList
            {...props}
            items={found}
            renderMenu={(item) => (
              <ItemMenu
                name={item.name}
                onChange={(opener) => edit(item, opener)}
                onRemove={(opener) => removing.open(item, opener)}
              />
            )}
          />
        )}
      </SearchedList>
      {creating.isOpen ? (
        <Sheet item={null} overlay={creating} onReturnFocus={() => newButton.current?.focus()} />
      ) : null}
      {editing.isOpen && changing.item ? (
        <Sheet
          key={changing.item.id}
          item={changing.item}
          overlay={editing}
          onReturnFocus={changing.modal.onReturnFocus}
        />
      ) : null}
      {removed ? (
        <RemovalDialog
          {...dialog}
          title={`${question} «${removed.name}»?`}
          name={removed.name}
          remove={() => remove(removed.id)}
          explain={(error) => removalFailure(error, { failed, inUse })}
          {...removing.modal}
        />
      ) : null}
    </div>
  )
}

const cell = 'border-b border-line px-2.5 py-2.5 align-middle first:pl-3.5 last:pr-3.5'

type NamedListProps<Item> = ListParts<Item> & {
  texts: ListTexts
  items: readonly Item[]
  renderMenu: (item: Item) => ReactNode
}

function NamedList<Item extends NamedItem>({
  texts,
  items,
  renderMenu,
  ...parts
}: NamedListProps<Item>) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label={texts.title} className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {items.map((item) => (
          <li
            key={item.id}
            className={cn(
              'flex flex-col rounded-card border border-line bg-surface p-3.5',
              parts.cardClassName,
            )}
          >
            <div className="-mt-1.5 -mr-1.5 flex items-start justify-between gap-2">
              <h2 className="pt-2.5 leading-snug font-medium wrap-anywhere">{item.name}</h2>
              {renderMenu(item)}
            </div>
            {item.description ? (
              <p className="text-sm text-pretty wrap-anywhere text-muted">{item.description}</p>
            ) : null}
            <parts.Card {...item} />
          </li>
        ))}
      </ul>
    )
  }
  const columns = [
    { name: 'Nome', width: parts.nameWidth },
    { name: 'Descrizione', width: '' },
    ...parts.columns,
    { name: 'Azioni', width: 'w-16', head: <span className="sr-only">Azioni</span> },
  ]
  return (
    <DataTable caption={texts.caption} columns={columns} cell={cell}>
      {items.map((item) => (
        <tr key={item.id}>
          <th scope="row" className={cn(cell, 'text-left wrap-anywhere')}>
            {item.name}
          </th>
          <td className={cn(cell, 'text-muted')}>
            <span className="line-clamp-2 wrap-anywhere">{item.description}</span>
          </td>
          {parts.columns.map((column) => (
            <td key={column.name} className={cn(cell, column.className)}>
              {column.cell(item)}
            </td>
          ))}
          <td className={cn(cell, 'py-1')}>{renderMenu(item)}</td>
        </tr>
      ))}
    </DataTable>
  )
}
