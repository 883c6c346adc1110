import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { useId, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { PagedItems } from '../../ui/list-pages.tsx'
import type { MigrationQuestion } from './migration-dialog.tsx'
import {
  lastMigrationText,
  MigrationActions,
  type MigrationItemProps,
  PharmacyLink,
  RunSummary,
} from './migration-item.tsx'
import { airtableText, pharmacyCount, verifiedText } from './migration-texts.ts'
import { MigrationBadge } from './run-parts.tsx'

const cell = 'border-b border-line px-1.5 py-2.5 align-top first:pl-3.5 last:pr-3.5 xl:px-2.5'

const columns = [
  { name: 'Farmacia', width: '' },
  { name: 'Airtable', width: 'w-18 xl:w-24', numeric: true },
  { name: 'Supabase', width: 'w-20 xl:w-24', numeric: true },
  { name: 'Ultima migrazione', width: 'w-28 xl:w-38' },
  { name: 'Stato', width: 'w-40 xl:w-44' },
  { name: 'Progresso', width: 'w-36 xl:w-48' },
  { name: 'Azioni', width: 'w-34 xl:w-60' },
]

function MigrationRow(props: MigrationItemProps) {
  const { pharmacy, now } = props
  return (
    <tr>
      <th scope="row" className={cn(cell, 'text-left font-normal')}>
        <PharmacyLink {...props} />
      </th>
      <td className={cn(cell, 'text-right tabular-nums')}>{airtableText(pharmacy)}</td>
      <td className={cn(cell, 'text-right tabular-nums')}>
        {formatNumber(pharmacy.supabaseCount)}
      </td>
      <td className={cn(cell, 'tabular-nums')}>{lastMigrationText(pharmacy)}</td>
      <td className={cell}>
        <MigrationBadge badge={pharmacy.badge} />
        <p className="mt-1 text-xs text-pretty text-muted">{verifiedText(pharmacy, now)}</p>
      </td>
      <td className={cell}>
        <RunSummary {...props} />
      </td>
      <td className={cn(cell, 'py-1.5')}>
        <MigrationActions {...props} />
      </td>
    </tr>
  )
}

function MigrationCard(props: MigrationItemProps) {
  const { pharmacy, now } = props
  const facts = [
    ['Airtable', airtableText(pharmacy)],
    ['Supabase', formatNumber(pharmacy.supabaseCount)],
    ['Ultima migrazione', lastMigrationText(pharmacy)],
  ] as const
  return (
    <li className="flex flex-col gap-2.5 rounded-card border border-line bg-surface p-3.5">
      <div className="flex items-start justify-between gap-2">
        <PharmacyLink {...props} />
        <MigrationBadge badge={pharmacy.badge} />
      </div>
      <p className="text-xs text-pretty text-muted empty:hidden">{verifiedText(pharmacy, now)}</p>
      <dl className="grid grid-cols-[auto_auto_1fr] gap-x-4 text-sm">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <RunSummary {...props} />
      <div className="mt-auto border-t border-line pt-2.5">
        <MigrationActions {...props} />
      </div>
    </li>
  )
}

type MigrationListProps = {
  title: string
  intro: string
  /** Shown when there is no pharmacy. */
  empty: string
  pharmacies: readonly MigrationPharmacy[]
  page: number
  onPage: (page: number) => void
  now: number
  isConfigured: boolean
  onAsk: (question: MigrationQuestion, opener: HTMLElement) => void
}

/** Pharmacies with the state of their migration, page by page. */
export function MigrationList(props: MigrationListProps) {
  const { title, intro, empty, pharmacies, page, onPage, ...shared } = props
  const wide = useMediaQuery(WIDE)
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2.5">
      <div>
        <h2 ref={heading} id={id} className="scroll-mt-20 text-lg leading-snug font-medium">
          {title}
        </h2>
        <p className="text-sm text-muted">{pharmacies.length === 0 ? empty : intro}</p>
      </div>
      {pharmacies.length === 0 ? null : (
        <PagedItems
          items={pharmacies}
          label={`Pagine: ${title}`}
          text={pharmacyCount(pharmacies.length)}
          page={page}
          onPage={(next) => {
            onPage(next)
            heading.current?.scrollIntoView()
          }}
        >
          {(items) =>
            wide ? (
              <DataTable caption={title} columns={columns} cell={cell}>
                {items.map((pharmacy) => (
                  <MigrationRow key={pharmacy.id} {...shared} pharmacy={pharmacy} />
                ))}
              </DataTable>
            ) : (
              <ul aria-labelledby={id} className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
                {items.map((pharmacy) => (
                  <MigrationCard key={pharmacy.id} {...shared} pharmacy={pharmacy} />
                ))}
              </ul>
            )
          }
        </PagedItems>
      )}
    </section>
  )
}
