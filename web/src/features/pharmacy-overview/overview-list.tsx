import { Light } from '@bancone/contract/pharmacy-attention'
import { z } from 'zod/mini'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import {
  copyText,
  LightIcon,
  type OverviewItemProps,
  offersText,
  PharmacyName,
  planText,
  Reasons,
  storageText,
  when,
} from './overview-parts.tsx'

const cell = 'border-b border-line px-1.5 py-1.5 align-top first:pl-3.5 last:pr-3.5 xl:px-2.5'

type SortableColumn = Omit<Column, 'sort'> & { sort: SortKey }

const columns: readonly SortableColumn[] = [
  { name: 'Farmacia', width: '', sort: 'name' },
  { name: 'Ultimo accesso', width: 'w-22 xl:w-30', sort: 'signIn' },
  { name: 'Ultimo ordine', width: 'w-22 xl:w-30', sort: 'order' },
  { name: 'Ordini in 7 giorni', width: 'w-20 xl:w-26', sort: 'orders', numeric: true },
  { name: 'Copia degli ordini', width: 'w-26 xl:w-36', sort: 'copy' },
  { name: 'Offerte attive', width: 'w-20 xl:w-26', sort: 'offers', numeric: true },
  { name: 'Spazio', width: 'w-20 xl:w-24', sort: 'storage', numeric: true },
  { name: 'Errori', width: 'w-16 xl:w-20', sort: 'jobs', numeric: true },
  { name: 'Fine piano', width: 'w-22 xl:w-28', sort: 'plan' },
]

/** Names of the orders a list without columns can be sorted by. */
export const sorts: Record<SortKey, string> = {
  need: 'Per urgenza',
  name: 'Per nome',
  signIn: 'Per ultimo accesso',
  order: 'Per ultimo ordine',
  orders: 'Per ordini in 7 giorni',
  copy: 'Per copia degli ordini',
  offers: 'Per offerte attive',
  storage: 'Per spazio',
  jobs: 'Per errori',
  plan: 'Per fine del piano',
}

function OverviewRow({ pharmacy, now }: OverviewItemProps) {
  return (
    <tr className="transition-colors duration-150 hover:bg-sunken/70">
      <th scope="row" className={cn(cell, 'text-left font-normal')}>
        <div className="flex gap-2.5">
          <LightIcon light={pharmacy.light} className="mt-1.5" />
          <div className="min-w-0">
            <PharmacyName pharmacy={pharmacy} />
            <p className="text-xs text-muted tabular-nums">{pharmacy.code}</p>
            <Reasons pharmacy={pharmacy} />
          </div>
        </div>
      </th>
      <td className={cn(cell, 'pt-3')}>{when(pharmacy.lastSignInAt, now, 'Mai')}</td>
      <td className={cn(cell, 'pt-3')}>{when(pharmacy.lastOrderAt, now, 'Nessuno')}</td>
      <td className={cn(cell, 'pt-3 text-right tabular-nums')}>{pharmacy.ordersIn7Days}</td>
      <td className={cn(cell, 'pt-3 wrap-anywhere', pharmacy.copyError && 'text-danger')}>
        {copyText(pharmacy, now)}
      </td>
      <td className={cn(cell, 'pt-3 text-right tabular-nums')}>{offersText(pharmacy)}</td>
      <td className={cn(cell, 'pt-3 text-right tabular-nums')}>{storageText(pharmacy)}</td>
      <td className={cn(cell, 'pt-3 text-right tabular-nums')}>{pharmacy.failedJobs}</td>
      <td className={cn(cell, 'pt-3')}>{planText(pharmacy)}</td>
    </tr>
  )
}

function OverviewCard({ pharmacy, now }: OverviewItemProps) {
  const facts = [
    ['Ultimo accesso', when(pharmacy.lastSignInAt, now, 'mai')],
    ['Ultimo ordine', when(pharmacy.lastOrderAt, now, 'nessuno')],
    ['Ordini in 7 giorni', String(pharmacy.ordersIn7Days)],
    ['Copia degli ordini', copyText(pharmacy, now)],
    ['Offerte attive', offersText(pharmacy)],
    ['Spazio', storageText(pharmacy)],
    ['Errori', String(pharmacy.failedJobs)],
    ['Fine piano', planText(pharmacy)],
  ] as const
  return (
    <li className="flex flex-col gap-2.5 rounded-card border border-line bg-surface p-3.5">
      <div className="flex gap-2.5">
        <LightIcon light={pharmacy.light} className="mt-1.5 pointer-coarse:mt-3" />
        <div className="min-w-0">
          <h2 className="leading-snug">
            <PharmacyName pharmacy={pharmacy} />
          </h2>
          <p className="text-xs text-muted tabular-nums">{pharmacy.code}</p>
          <Reasons pharmacy={pharmacy} />
        </div>
      </div>
      <dl className="mt-auto grid grid-cols-2 gap-x-4 gap-y-1.5 border-t border-line pt-2.5 text-sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

type OverviewListProps = {
  items: readonly OverviewItemProps['pharmacy'][]
  now: number
  filter: Pick<OverviewFilter, 'sort' | 'dir'>
  onSort: (sort: SortKey) => void
}

export function OverviewList({ items, now, filter, onSort }: OverviewListProps) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul aria-label="Farmacie" className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {items.map((pharmacy) => (
          <OverviewCard key={pharmacy.id} pharmacy={pharmacy} now={now} />
        ))}
      </ul>
    )
  }
  const order = filter.dir === 'asc' ? 'ascending' : 'descending'
  return (
    <DataTable
      caption={`Farmacie, ${sorts[filter.sort].toLowerCase()}`}
      columns={columns.map(({ sort, ...column }) => ({
        ...column,
        sort: { order: sort === filter.sort ? order : 'none', onSort: () => onSort(sort) },
      }))}
      cell={cell}
    >
      {items.map((pharmacy) => (
        <OverviewRow key={pharmacy.id} pharmacy={pharmacy} now={now} />
      ))}
    </DataTable>
  )
}

export const SortKey = z.enum([
  'need',
  'name',
  'signIn',
  'order',
  'orders',
  'copy',
  'offers',
  'storage',
  'jobs',
  'plan',
])
export type SortKey = z.infer<typeof SortKey>

const Filter = z.object({
  light: z.catch(z.enum(['all', ...Light.options]), 'all'),
  /** `need`: the order of the server. */
  sort: z.catch(SortKey, 'need'),
  dir: z.catch(z.enum(['asc', 'desc']), 'asc'),
})
export type OverviewFilter = z.infer<typeof Filter>

const format = searchParamsFormat(Filter)

/** Light, column and direction of the overview, in the URL. */
export const useOverviewAddress = () => useUrlFilter<OverviewFilter>(format)
