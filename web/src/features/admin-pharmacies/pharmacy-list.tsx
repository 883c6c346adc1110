import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import {
  AirtableBadge,
  limitText,
  type PharmacyItemProps,
  PharmacyLink,
  PharmacyMenu,
  planText,
  SourceSwitch,
  StatusSwitch,
} from './pharmacy-parts.tsx'

const cell = 'border-b border-line px-1.5 py-1 align-middle first:pl-3.5 last:pr-3.5 xl:px-2.5'

const columns = [
  { name: 'Codice', width: 'w-28 xl:w-30' },
  { name: 'Nome', width: '' },
  // Below the name where there is no room for it.
  { name: 'Email', width: 'max-xl:hidden w-[19%]' },
  { name: 'Piano', width: 'w-24 xl:w-30' },
  { name: 'Offerte massime', width: 'w-20 xl:w-24', numeric: true },
  { name: 'Airtable', width: 'w-34 xl:w-42' },
  { name: 'Fonte ordini', width: 'w-32 xl:w-36' },
  { name: 'Stato', width: 'w-34 xl:w-38' },
  { name: 'Azioni', width: 'w-14 xl:w-16', head: <span className="sr-only">Azioni</span> },
]

function PharmacyRow(props: PharmacyItemProps) {
  const { pharmacy } = props
  return (
    <tr className="transition-colors duration-150 hover:bg-sunken/70">
      <td className={cn(cell, 'text-muted tabular-nums')}>
        <span className="block truncate" title={pharmacy.pharmacy_id}>
          {pharmacy.pharmacy_id}
        </span>
      </td>
      <th scope="row" className={cn(cell, 'text-left')}>
        <PharmacyLink {...props} />
        <span className="block text-xs font-normal wrap-anywhere text-muted xl:hidden">
          {pharmacy.email}
        </span>
      </th>
      <td className={cn(cell, 'wrap-anywhere text-muted max-xl:hidden')}>{pharmacy.email}</td>
      <td className={cell}>
        <span className={cn('wrap-anywhere', pharmacy.subscription_plans ? '' : 'text-muted')}>
          {planText(pharmacy)}
        </span>
      </td>
      <td className={cn(cell, 'text-right tabular-nums')}>{limitText(pharmacy.max_offers)}</td>
      <td className={cell}>
        <AirtableBadge {...pharmacy} />
      </td>
      <td className={cell}>
        <SourceSwitch {...props} />
      </td>
      <td className={cell}>
        <StatusSwitch {...props} />
      </td>
      <td className={cell}>
        <PharmacyMenu {...props} />
      </td>
    </tr>
  )
}

function PharmacyCard(props: PharmacyItemProps) {
  const { pharmacy } = props
  return (
    <li className="flex flex-col gap-1.5 rounded-card border border-line bg-surface p-3.5 pb-1.5">
      <div className="-mt-1.5 -mr-1.5 flex items-start justify-between gap-2">
        <div className="min-w-0 pt-2">
          <h2 className="leading-snug">
            <PharmacyLink {...props} />
          </h2>
          <p className="text-sm tabular-nums text-muted">{pharmacy.pharmacy_id}</p>
        </div>
        <PharmacyMenu {...props} />
      </div>
      <p className="text-sm wrap-anywhere text-muted">{pharmacy.email}</p>
      <p className="text-sm">
        {planText(pharmacy)}
        <span className="text-muted"> · Offerte massime: {limitText(pharmacy.max_offers)}</span>
      </p>
      <p className="flex items-center gap-2 text-sm text-muted">
        Airtable: <AirtableBadge {...pharmacy} />
      </p>
      <div className="mt-auto flex flex-wrap justify-between gap-x-4 border-t border-line pt-1">
        <StatusSwitch {...props} />
        <SourceSwitch {...props} />
      </div>
    </li>
  )
}

export function PharmacyList({ items }: { items: readonly PharmacyItemProps[] }) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Farmacie" className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {items.map((item) => (
          <PharmacyCard key={item.pharmacy.id} {...item} />
        ))}
      </ul>
    )
  }
  return (
    <DataTable caption="Farmacie, per nome" columns={columns} cell={cell}>
      {items.map((item) => (
        <PharmacyRow key={item.pharmacy.id} {...item} />
      ))}
    </DataTable>
  )
}

const ROWS = 8

export function PharmacyListSkeleton() {
  return (
    <Loading
      text="Caricamento delle farmacie in corso…"
      className="divide-y divide-line rounded-card border border-line bg-surface"
    >
      {Array.from({ length: ROWS }, (_, index) => (
        <div key={index} className="flex h-13 items-center gap-4 px-3.5">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="ml-auto h-3.5 w-1/4 max-sm:hidden" />
        </div>
      ))}
    </Loading>
  )
}
