import { type Analytics, Comparison } from '@bancone/contract/analytics'
import { useState } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { capital, dayText, rangeText } from '../texts/day-texts.ts'
import { comparisons } from '../texts/percent-texts.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { type AnalyticsPeriod, PeriodName } from './analytics-address.ts'
import { CustomPeriod } from './custom-period.tsx'

export const periodTexts: Record<PeriodName, string> = {
  oggi: 'Oggi',
  'ultimi-7-giorni': 'Ultimi 7 giorni',
  'ultimi-30-giorni': 'Ultimi 30 giorni',
  'questo-mese': 'Questo mese',
  'mese-scorso': 'Mese scorso',
  personalizzato: 'Personalizzato',
}

const NO_BOUNDS = { dal: null, al: null }

type PeriodBarProps = {
  period: AnalyticsPeriod
  /** What the shown figures are compared with; null while they are of another period, or there is nothing. */
  compared: Analytics['compared'] | null
}

/** Chooses the period and what it is compared with. A custom one applies when both of its bounds are right. */
export function PeriodBar({ period, compared }: PeriodBarProps) {
  const { address, change, query, today } = period
  const { periodo, confronto } = address
  // Chosen, but not yet with both bounds.
  const [isChoosing, setChoosing] = useState(false)
  const isCustom = isChoosing || periodo === 'personalizzato'

  function choose(value: string) {
    const name = PeriodName.parse(value)
    setChoosing(name === 'personalizzato')
    if (name !== 'personalizzato') change({ periodo: name, ...NO_BOUNDS })
  }

  return (
    <section aria-label="Periodo e confronto" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 sm:gap-x-3">
        <NativeSelect
          label="Periodo"
          className="min-w-0 max-sm:w-full"
          value={isCustom ? 'personalizzato' : periodo}
          onChange={({ target }) => choose(target.value)}
        >
          {PeriodName.options.map((name) => (
            <option key={name} value={name}>
              {periodTexts[name]}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          label="Confronta con"
          className="min-w-0 max-sm:w-full"
          value={confronto}
          onChange={({ target }) => change({ confronto: Comparison.parse(target.value) })}
        >
          {Comparison.options.map((option) => (
            <option key={option} value={option}>
              {comparisons[option].option}
            </option>
          ))}
        </NativeSelect>
        <p className="text-sm text-muted max-sm:w-full">
          {capital(query.dal === query.al ? dayText(query.dal, today) : rangeText(query, today))}
          {compared ? (
            <span className="max-sm:block">
              <span className="max-sm:hidden"> · </span>
              confronto: {rangeText(compared, today)}
              {compared.until === null ? '' : ` fino alle ${formatTime(compared.until)}`}
            </span>
          ) : null}
        </p>
      </div>
      {isCustom ? (
        <CustomPeriod
          // The fields follow the URL, for example when the user goes back.
          key={`${address.dal} ${address.al}`}
          start={periodo === 'personalizzato' ? { dal: address.dal, al: address.al } : query}
          today={today}
          isApplied={periodo === 'personalizzato'}
          onApply={({ dal, al }) => {
            setChoosing(false)
            change({ periodo: 'personalizzato', dal, al })
          }}
        />
      ) : null}
    </section>
  )
}

/** What the figures of the chosen period are compared with. */
export function comparedOf(figures: {
  shown: OfPeriod<Analytics> | null
  isOther: boolean
}): PeriodBarProps['compared'] {
  const { shown, isOther } = figures
  return shown === null || isOther || shown.data.previous === null ? null : shown.data.compared
}
