import { type Analytics, Comparison, FIRST_DAY } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type AnalyticsPeriod, boundErrors, type Days, PeriodName } from '../analytics-address.ts'
import { capital, dayText, rangeText } from '../texts/day-texts.ts'
import { comparisons } from '../texts/percent-texts.ts'
import type { OfPeriod } from '../use-analytics.ts'

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

type CustomPeriodProps = {
  start: { dal: string | null; al: string | null }
  today: Day
  /** The period is in the URL already: its errors are shown at once. */
  isApplied: boolean
  onApply: (days: Days) => void
}

/** The bounds of a custom period. They apply together, when both are right. */
function CustomPeriod({ start, today, isApplied, onApply }: CustomPeriodProps) {
  const [days, setDays] = useState({ dal: start.dal ?? '', al: start.al ?? '' })
  const [isChecked, setChecked] = useState(isApplied)
  const errors = boundErrors(days, today)
  const first = useRef<HTMLInputElement>(null)
  const last = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (!isApplied) first.current?.focus()
  }, [isApplied])

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (errors.dal) first.current?.focus()
    else if (errors.al) last.current?.focus()
    else onApply(days)
  }

  return (
    <form
      noValidate
      aria-label="Periodo personalizzato"
      onSubmit={submit}
      className="flex flex-wrap items-start gap-3"
    >
      <TextField
        ref={first}
        type="date"
        label="Dal"
        className="max-sm:flex-1"
        min={FIRST_DAY}
        max={today}
        value={days.dal}
        error={isChecked ? errors.dal : undefined}
        onChange={({ target }) => setDays({ ...days, dal: target.value })}
      />
      <TextField
        ref={last}
        type="date"
        label="Al"
        className="max-sm:flex-1"
        min={FIRST_DAY}
        max={today}
        value={days.al}
        error={isChecked ? errors.al : undefined}
        onChange={({ target }) => setDays({ ...days, al: target.value })}
      />
      <Button type="submit" look="primary" size="large" className="mt-7 max-sm:mt-0 max-sm:w-full">
        Applica
      </Button>
    </form>
  )
}
