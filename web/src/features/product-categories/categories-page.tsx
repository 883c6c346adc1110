import type { AdminCategory } from '@bancone/contract/product-categories'
import { Plus, Shapes } from 'lucide-react'
import { useRef } from 'react'
import { z } from 'zod'
import { searchable } from '../../lib/searchable.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useGuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { useOpened } from '../../lib/use-opened.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { Button } from '../../ui/button.tsx'
import { CardListSkeleton } from '../../ui/card-list-skeleton.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { CategoryList } from './category-list.tsx'
import { CategorySheet } from './category-sheet.tsx'
import { DeleteCategoryDialog } from './delete-category-dialog.tsx'
import { useCategories } from './use-categories.ts'

const MAX_LETTERS = 100

const categoriesUrl = searchParamsFormat(z.object({ q: z.string().max(MAX_LETTERS).catch('') }))

function matches({ name, description }: AdminCategory, words: string): boolean {
  return searchable(`${name} ${description ?? ''}`).includes(searchable(words.trim()))
}

/** The product categories. */
export function CategoriesPage() {
  const query = useCategories()
  const [{ q }, change] = useUrlFilter(categoriesUrl)
  const search = useSearchText({
    inUrl: q,
    normalize: (text) => text,
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
          placeholder="Nome o descrizione"
          value={search.text}
          maxLength={MAX_LETTERS}
          className="lg:max-w-md"
          onType={search.type}
          onKeyDown={({ key }) => (key === 'Escape' ? search.clear() : undefined)}
          onClear={search.clear}
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
