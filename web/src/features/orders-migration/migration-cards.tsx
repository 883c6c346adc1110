import { formatNumber } from '../../lib/format.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import type { MigrationOverview } from './use-migrations.ts'

const cards: readonly { count: keyof MigrationOverview['cards']; label: string }[] = [
  { count: 'total', label: 'Farmacie totali' },
  { count: 'backupActive', label: 'Backup attivo' },
  { count: 'toSync', label: 'Da sincronizzare' },
  { count: 'migrating', label: 'In migrazione' },
]

const grid = 'grid grid-cols-2 gap-2.5 lg:grid-cols-4'
const card = 'rounded-card border border-line bg-surface px-4 py-3'

export function MigrationCards({ cards: counts }: Pick<MigrationOverview, 'cards'>) {
  return (
    <dl className={grid}>
      {cards.map(({ count, label }) => (
        <div key={count} className={card}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-2xl font-medium tracking-tight tabular-nums">
            {formatNumber(counts[count])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function MigrationsSkeleton() {
  return (
    <Loading text="Caricamento delle migrazioni in corso…" className="flex flex-col gap-4 md:gap-5">
      <div className={grid}>
        {cards.map(({ count }) => (
          <div key={count} className={card}>
            <Skeleton className="my-1 h-3.5 w-24" />
            <Skeleton className="mt-3 mb-1 h-6 w-12" />
          </div>
        ))}
      </div>
      <div className="divide-y divide-line rounded-card border border-line bg-surface">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex h-16 items-center gap-4 px-3.5">
            <Skeleton className="h-3.5 w-1/3" />
            <Skeleton className="ml-auto h-3.5 w-1/4 max-sm:hidden" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
