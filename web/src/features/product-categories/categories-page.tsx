import {
  type AdminCategory,
  listAdminCategories,
  removeCategory,
} from '@bancone/contract/product-categories'
import { useQueryClient } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { useEndpoint, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { unlessGone } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type ItemDialogProps, NamedListPage } from '../../ui/named-list-page.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { CategorySheet, invalidateCategories } from './category-sheet.tsx'
import { classTexts, offerCount, removalFailure } from './category-texts.ts'

const texts = {
  title: 'Categorie',
  create: 'Nuova categoria',
  failed: 'Errore nel caricamento delle categorie',
  loading: 'Caricamento delle categorie in corso…',
  found: 'Categorie trovate',
  empty: 'Nessuna categoria',
  emptyHint: 'Crea la prima con «Nuova categoria»: le farmacie la scelgono nelle loro offerte.',
  noneFound: 'Nessuna categoria trovata',
  showAll: 'Mostra tutte le categorie',
  caption: 'Categorie, per nome',
}

/** The product categories. */
export function CategoriesPage() {
  const query = useEndpoint(listAdminCategories, {})
  return (
    <NamedListPage<AdminCategory>
      query={query}
      items={query.data?.categories}
      texts={texts}
      icon={<Shapes />}
      overlay="category"
      nameWidth="w-44 xl:w-56"
      columns={[
        {
          name: 'Classe',
          width: 'w-34 xl:w-48',
          cell: ({ regulatory_class }) => classTexts[regulatory_class].name,
        },
        {
          name: 'Offerte',
          width: 'w-20',
          numeric: true,
          className: 'text-right tabular-nums',
          cell: ({ offers }) => formatNumber(offers),
        },
        {
          name: 'Data di creazione',
          width: 'w-38',
          className: 'text-muted tabular-nums',
          cell: ({ created_at }) => formatDateTime(created_at),
        },
        {
          name: 'Ultima modifica',
          width: 'w-38',
          className: 'text-muted tabular-nums',
          cell: ({ updated_at }) => formatDateTime(updated_at),
        },
      ]}
      cardClassName="gap-1.5"
      Card={CardTexts}
      Sheet={CategorySheet}
      Removal={DeleteCategoryDialog}
    />
  )
}

/** What a card shows below name and description. */
function CardTexts({ regulatory_class, offers, created_at, updated_at }: AdminCategory) {
  return (
    <>
      <p className="text-sm">
        {classTexts[regulatory_class].name} · {offerCount(offers)}
      </p>
      <p className="text-sm text-muted tabular-nums">
        Creata il {formatDateTime(created_at)}
        <br />
        Modificata il {formatDateTime(updated_at)}
      </p>
    </>
  )
}

/** Deletes a category. */
function DeleteCategoryDialog({ item, ...dialog }: ItemDialogProps<AdminCategory>) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removeCategory)

  async function remove() {
    const removal = mutateAsync({ params: { categoryId: item.id } })
    await unlessGone(removal, 'categories.not_found')
    await invalidateCategories(client)
    toastSuccess('Categoria eliminata', { description: item.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare la categoria «${item.name}»?`}
      text="Sei sicuro di voler eliminare questa categoria? Questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={removalFailure}
      onConfirm={remove}
      {...dialog}
    />
  )
}
