import { exclusionNames } from '@bancone/contract/analytics-tables'
import type { Traffic } from '@bancone/contract/analytics-traffic'
import { countingPath } from '@bancone/contract/pages'
import { ExternalLink } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { Section, Unreadable } from '../section.tsx'
import { countText } from '../texts/overview-sentences.ts'
import { exclusionTexts } from '../texts/traffic-sentences.ts'

type ExcludedVisitsProps = {
  excluded: Traffic['excluded']
  /** The pharmacy's readable code. */
  code: string
}

/** The visits that were left out, and why. */
export function ExcludedVisits({ excluded, code }: ExcludedVisitsProps) {
  if (excluded === null) return <Unreadable title="Visite escluse" />
  const sum = excluded.reduce((total, { amount }) => total + amount, 0)
  const counted = excluded.filter(({ amount }) => amount > 0)
  return (
    <Section
      title="Visite escluse"
      summary={
        sum === 0
          ? 'In questo periodo nessuna visita è stata esclusa.'
          : `${countText(sum, 'visita non è stata contata', 'visite non sono state contate')}.`
      }
      action={
        <a
          href={countingPath(code)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium text-accent underline-offset-4 hover:underline md:min-h-6"
        >
          Che cosa contiamo
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="sr-only"> (si apre in una nuova scheda)</span>
        </a>
      }
    >
      {counted.length === 0 ? null : (
        <dl className="flex flex-col">
          {counted
            .toSorted((a, b) => b.amount - a.amount)
            .map(({ reason, amount }) => (
              <div
                key={reason}
                className="flex items-baseline justify-between gap-4 border-t border-line py-2 text-sm"
              >
                <dt>
                  {exclusionNames[reason]}
                  <span className="block text-muted">{exclusionTexts[reason]}</span>
                </dt>
                <dd className="font-medium tabular-nums">{formatNumber(amount)}</dd>
              </div>
            ))}
        </dl>
      )}
    </Section>
  )
}
