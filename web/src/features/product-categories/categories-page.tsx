import {
  type AdminCategory,
  listAdminCategories,
  removeCategory,
} from '@bancone/contract/product-categories'
import { Shapes } from 'lucide-react'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { NamedListPage } from '../../ui/named-list-page.tsx'
import { CategorySheet } from './category-sheet.tsx'
import { classTexts, offerCount } from './category-texts.ts'

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
      removal={{
        question: 'Eliminare la categoria',
        text: 'Sei sicuro di voler eliminare questa categoria? Questa azione non può essere annullata.',
        done: 'Categoria eliminata',
        remove: (categoryId) => call(removeCategory, { params: { categoryId } }),
        goneCode: 'categories.not_found',
        list: listAdminCategories,
        failed: "Errore durante l'eliminazione della categoria.",
        inUse: {
          code: 'categories.in_use',
          detail: 'offers',
          text: (count) =>
            `Impossibile eliminare la categoria: è utilizzata da ${offerCount(count)}`,
        },
      }}
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
