import { Comparison } from '@bancone/contract/analytics'
import { useState } from 'react'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { capital, rangeText } from '../texts/day-texts.ts'
import { comparisons } from '../texts/percent-texts.ts'
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

/** Chooses the period and what it is compared with. A custom one applies when both of its bounds are right. */
export function PeriodBar({ period }: { period: AnalyticsPeriod }) {
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
    <section aria-label="Periodo" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <NativeSelect
          label="Periodo"
          className="max-sm:w-full"
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
          className="max-sm:w-full"
          value={confronto}
          onChange={({ target }) => change({ confronto: Comparison.parse(target.value) })}
        >
          {Comparison.options.map((option) => (
            <option key={option} value={option}>
              {comparisons[option].option}
            </option>
          ))}
        </NativeSelect>
        <p className="text-sm text-muted">{capital(rangeText(query, today))}</p>
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
