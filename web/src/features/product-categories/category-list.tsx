import type { AdminCategory } from '@bancone/contract/product-categories'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { type ItemActions, ItemMenu } from '../../ui/item-menu.tsx'
import { classTexts, offerCount } from './category-texts.ts'

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

export function CategoryList({ categories, actions }: CategoryListProps) {
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
