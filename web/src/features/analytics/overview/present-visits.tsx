import { NOW_MINUTES } from '@bancone/contract/analytics'
import { formatNumber } from '../../../lib/format.ts'
import { Section } from '../section.tsx'
import { countText } from '../texts/overview-sentences.ts'
import { usePresentVisits } from '../use-analytics.ts'

/** How many are on the public page now. The numbers change silently: they would interrupt a screen reader. */
export function PresentVisits() {
  const { data, error } = usePresentVisits()
  return (
    <Section title="In questo momento">
      {data ? (
        <p className="flex items-baseline gap-2.5">
          <span
            aria-hidden
            className={`size-2.5 self-center rounded-full ${data.visitors > 0 ? 'bg-accent' : 'bg-line-strong'}`}
          />
          <span className="text-3xl leading-tight font-medium tracking-tight tabular-nums">
            {formatNumber(data.visitors)}
          </span>
          <span className="text-sm text-muted">
            {data.visitors === 1 ? 'visitatore' : 'visitatori'},{' '}
            {countText(data.views, 'visualizzazione', 'visualizzazioni')} negli ultimi {NOW_MINUTES}{' '}
            minuti
          </span>
        </p>
      ) : (
        <p className="text-sm text-muted">
          {error ? 'Non si può sapere adesso: si riprova da solo.' : 'Caricamento in corso…'}
        </p>
      )}
    </Section>
  )
}
