import { trend } from '@bancone/contract/analytics-figures'
import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { cn } from '../../../ui/class-names.ts'
import { type ComparisonTexts, percentText } from '../texts/percent-texts.ts'

const looks = {
  up: { Icon: ArrowUp, className: 'text-confirmed' },
  down: { Icon: ArrowDown, className: 'text-cancelled' },
  same: { Icon: ArrowRight, className: 'text-muted' },
}

type TrendLineProps = {
  now: number
  /** Null where there is nothing to compare with. */
  before: number | null
  comparison: ComparisonTexts
  /** The value before, as it is shown. */
  format: (value: number) => string
}

/** The change since the compared period: an arrow, words, and the value of then. */
export function TrendLine({ now, before, comparison, format }: TrendLineProps) {
  if (before === null) {
    return (
      <p className="text-sm text-muted">
        <span className="font-medium">n/d</span> · nessun confronto
      </p>
    )
  }
  const percent = trend(now, before)
  const { Icon, className } = looks[percent > 0 ? 'up' : percent < 0 ? 'down' : 'same']
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
      <span
        className={cn('inline-flex items-center gap-1 font-medium whitespace-nowrap', className)}
      >
        <Icon aria-hidden className="size-3.5" />
        {percent === 0
          ? 'Invariato'
          : `${percentText(Math.abs(percent))} in ${percent > 0 ? 'più' : 'meno'}`}
      </span>
      <span>
        <span className="sr-only">{comparison.than}, </span>
        prima {format(before)}
      </span>
    </p>
  )
}
