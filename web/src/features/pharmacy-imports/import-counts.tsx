import type { PharmacyImport, RowOutcome } from '@bancone/contract/pharmacy-imports'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { outcomeCounts } from './import-texts.ts'

type ImportCountsProps = {
  counts: PharmacyImport['counts']
  /** The rows that are shown; empty for all. */
  chosen: RowOutcome | ''
  onChoose: (outcome: RowOutcome | '') => void
}

/** The numbers of rows by outcome; each narrows the list of rows to its own, or shows all again. */
export function ImportCounts({ counts, chosen, onChoose }: ImportCountsProps) {
  return (
    <div
      role="group"
      aria-label="Righe per esito"
      className="grid grid-cols-2 gap-2.5 lg:grid-cols-4"
    >
      {outcomeCounts.map(({ outcome, label }) => {
        const isChosen = chosen === outcome
        return (
          <button
            key={outcome}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(isChosen ? '' : outcome)}
            className={cn(
              'rounded-card border px-4 py-3 text-left transition-colors',
              isChosen ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-sunken',
            )}
          >
            <span className="block text-sm text-muted">{label}</span>{' '}
            <span
              className={cn(
                'block text-2xl font-medium tracking-tight tabular-nums',
                outcome === 'refused' && counts.refused > 0 && 'text-danger',
              )}
            >
              {formatNumber(counts[outcome])}
            </span>
          </button>
        )
      })}
    </div>
  )
}
