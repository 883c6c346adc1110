import { type AdminCategory, removeCategory } from '@bancone/contract/product-categories'
import { useQueryClient } from '@tanstack/react-query'
import { Plus, Shapes } from 'lucide-react'
import { useRef } from 'react'
import { z } from 'zod/mini'
import { hasCode } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { searchable } from '../../lib/searchable.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { useGuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { cn } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { type ItemActions, ItemMenu } from '../../ui/item-menu.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { CategorySheet } from './category-sheet.tsx'
import { classTexts, offerCount, removalFailure } from './category-texts.ts'
import { invalidateCategories, useCategories } from './use-categories.ts'

const MAX_LETTERS = 100

const categoriesUrl = searchParamsFormat(
  z.object({ q: z.catch(z.string().check(z.maxLength(MAX_LETTERS)), '') }),
)

function matches({ name, description }: AdminCategory, words: string): boolean {
  return searchable(`${name} ${description ?? ''}`).includes(searchable(words.trim()))
}

/** The product categories. */
export function CategoriesPage() {
  useDocumentTitle('Categorie')
  const query = useCategories()
  const [{ q }, change] = useUrlFilter(categoriesUrl)
  const search = useSearchText({
    inUrl: q,
    onSearch: (text, options) => change({ q: text }, options),
  })
  const newButton = useRef<HTMLButtonElement>(null)
  const creating = useGuardedOverlay('new-category')
  const editing = useGuardedOverlay('category')
  const changing = useOpened<AdminCategory>(newButton)
  const removing = useOpened<AdminCategory>(newButton)
  const edit: typeof changing.open = (item, opener) => {
    changing.open(item, opener)
    editing.open()
  }
  const found = query.data?.categories.filter((category) => matches(category, q))

  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Categorie</PageTitle>
        <Button ref={newButton} look="primary" aria-haspopup="dialog" onClick={creating.open}>
          <Plus aria-hidden />
          Nuova categoria
        </Button>
      </div>
      <div className="flex">
        <SearchField
          search={search}
          placeholder="Nome o descrizione"
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
        />
      </div>
      <p role="status" className="sr-only">
        {found && q.trim() !== '' ? `Categorie trovate: ${found.length}` : null}
      </p>
      <QueryStates
        query={query}
        title="Errore nel caricamento delle categorie"
        skeleton={<CardListSkeleton text="Caricamento delle categorie in corso…" />}
      >
        {({ categories }) =>
          found && found.length > 0 ? (
            <CategoryList
              categories={found}
              actions={{ onChange: edit, onRemove: removing.open }}
            />
          ) : categories.length === 0 ? (
            <EmptyList icon={<Shapes />} title="Nessuna categoria">
              Crea la prima con «Nuova categoria»: le farmacie la scelgono nelle loro offerte.
            </EmptyList>
          ) : (
            <EmptyList
              icon={<Shapes />}
              title="Nessuna categoria trovata"
              action={<Button onClick={search.clear}>Mostra tutte le categorie</Button>}
            >
              <span className="wrap-anywhere">Hai cercato «{q.trim()}».</span>
            </EmptyList>
          )
        }
      </QueryStates>
      {creating.isOpen ? (
        <CategorySheet
          category={null}
          overlay={creating}
          onReturnFocus={() => newButton.current?.focus()}
        />
      ) : null}
      {editing.isOpen && changing.item ? (
        <CategorySheet
          key={changing.item.id}
          category={changing.item}
          overlay={editing}
          onReturnFocus={changing.returnFocus}
        />
      ) : null}
      {removing.item ? (
        <DeleteCategoryDialog
          category={removing.item}
          onClose={removing.close}
          onReturnFocus={removing.returnFocus}
        />
      ) : null}
    </div>
  )
}

const cell = 'border-b border-line px-2.5 py-2.5 align-middle first:pl-3.5 last:pr-3.5'

const columns = [
  { name: 'Nome', width: 'w-44 xl:w-56' },
  { name: 'Descrizione', width: '' },
  { name: 'Classe', width: 'w-34 xl:w-48' },
  { name: 'Offerte', width: 'w-20', numeric: true },
  { name: 'Data di creazione', width: 'w-38' },
  { name: 'Ultima modifica', width: 'w-38' },
  { name: 'Azioni', width: 'w-16', head: <span className="sr-only">Azioni</span> },
]

type CategoryItemProps = { category: AdminCategory; actions: ItemActions<AdminCategory> }

function CategoryRow({ category, actions }: CategoryItemProps) {
  return (
    <tr>
      <th scope="row" className={cn(cell, 'text-left wrap-anywhere')}>
        {category.name}
      </th>
      <td className={cn(cell, 'text-muted')}>
        <span className="line-clamp-2 wrap-anywhere">{category.description}</span>
      </td>
      <td className={cell}>{classTexts[category.regulatory_class].name}</td>
      <td className={cn(cell, 'text-right tabular-nums')}>{formatNumber(category.offers)}</td>
      <td className={cn(cell, 'text-muted tabular-nums')}>{formatDateTime(category.created_at)}</td>
      <td className={cn(cell, 'text-muted tabular-nums')}>{formatDateTime(category.updated_at)}</td>
      <td className={cn(cell, 'py-1')}>
        <ItemMenu item={category} actions={actions} />
      </td>
    </tr>
  )
}

function CategoryCard({ category, actions }: CategoryItemProps) {
  return (
    <li className="flex flex-col gap-1.5 rounded-card border border-line bg-surface p-3.5">
      <div className="-mt-1.5 -mr-1.5 flex items-start justify-between gap-2">
        <h2 className="pt-2.5 leading-snug font-medium wrap-anywhere">{category.name}</h2>
        <ItemMenu item={category} actions={actions} />
      </div>
      {category.description ? (
        <p className="text-sm text-pretty wrap-anywhere text-muted">{category.description}</p>
      ) : null}
      <p className="text-sm">
        {classTexts[category.regulatory_class].name} · {offerCount(category.offers)}
      </p>
      <p className="text-sm text-muted tabular-nums">
        Creata il {formatDateTime(category.created_at)}
        <br />
        Modificata il {formatDateTime(category.updated_at)}
      </p>
    </li>
  )
}

type CategoryListProps = {
  categories: readonly AdminCategory[]
  actions: ItemActions<AdminCategory>
}

function CategoryList({ categories, actions }: CategoryListProps) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Categorie" className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {categories.map((category) => (
          <CategoryCard key={category.id} category={category} actions={actions} />
        ))}
      </ul>
    )
  }
  return (
    <DataTable caption="Categorie, per nome" columns={columns} cell={cell}>
      {categories.map((category) => (
        <CategoryRow key={category.id} category={category} actions={actions} />
      ))}
    </DataTable>
  )
}

type DeleteCategoryDialogProps = {
  category: AdminCategory
  onClose: () => void
  onReturnFocus: () => void
}

/** Deletes a category. */
function DeleteCategoryDialog(props: DeleteCategoryDialogProps) {
  const { category, onClose, onReturnFocus } = props
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeCategory)

  async function remove() {
    try {
      await mutateAsync({ params: { categoryId: category.id } })
    } catch (reason) {
      // The category has been deleted elsewhere already.
      if (!hasCode(reason, 'categories.not_found')) throw reason
    }
    await invalidateCategories(client)
    toastSuccess('Categoria eliminata', { description: category.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare la categoria «${category.name}»?`}
      text="Sei sicuro di voler eliminare questa categoria? Questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={removalFailure}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
