import type { PharmacyImport } from '@bancone/contract/pharmacy-imports'
import { Link } from 'react-router'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { outcomeCounts, stateTitles } from './import-texts.ts'

/** The other imports of the last days; each leads to its rows. */
export function EarlierImports({ imports }: { imports: readonly PharmacyImport[] }) {
  if (imports.length === 0) return null
  return (
    <section className="flex flex-col gap-2.5">
      <h2 className="text-lg leading-snug font-medium">Altre importazioni</h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {imports.map(({ id, state, counts, created_at }) => (
          <li key={id} className="relative px-4 py-3 transition-colors hover:bg-sunken">
            <Link
              to={{ search: `?importazione=${id}` }}
              className="font-medium text-accent underline-offset-4 after:absolute after:inset-0 hover:underline"
            >
              {stateTitles[state]} del {formatDateTime(created_at)}
            </Link>
            <p className="text-sm text-muted tabular-nums">
              {outcomeCounts
                .map(({ outcome, label }) => `${label}: ${formatNumber(counts[outcome])}`)
                .join(' • ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
