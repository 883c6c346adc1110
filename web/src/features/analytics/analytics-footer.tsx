import type { Analytics } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { formatDateTime } from '../../lib/format.ts'
import { sourceNames } from './source-badge.tsx'
import { rangeText } from './texts/day-texts.ts'
import type { OfPeriod } from './use-of-period.ts'

/** Which figures these are, in one line. */
export function AnalyticsFooter({ shown, today }: { shown: OfPeriod<Analytics>; today: Day }) {
  const { data, period } = shown
  return (
    <p className="border-t border-line pt-3 text-sm text-pretty text-muted">
      Dati {rangeText(period, today).replace(/^oggi$/, 'di oggi')} · Ordini da{' '}
      {sourceNames[data.source]} · Ultimo aggiornamento {formatDateTime(data.updatedAt)} · Si
      aggiorna da solo ogni 5 minuti
    </p>
  )
}
