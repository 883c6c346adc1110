import { addDays, Day, dayOf } from '@bancone/contract/dates'
import { useState } from 'react'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** The most days of a report. */
const MAX_DAYS = 366

export type Period = { dal: Day; al: Day }

const address = searchParamsFormat(
  z.object({ dal: Day.nullable().catch(null), al: Day.nullable().catch(null) }),
)

const presets = [
  { text: 'Oggi', days: 1 },
  { text: 'Ultimi 7 giorni', days: 7 },
  { text: 'Ultimi 30 giorni', days: 30 },
] as const

/** The period in the URL; by default the last seven days. */
export function usePeriod(): [Period, (period: Period) => void] {
  const [{ dal, al }, go] = useUrlFilter(address)
  const today = dayOf(useNow())
  const isValid = dal !== null && al !== null && periodError({ dal, al }) === undefined
  return [isValid ? { dal, al } : { dal: addDays(today, -6), al: today }, (period) => go(period)]
}

function periodError({ dal, al }: { dal: string; al: string }): string | undefined {
  if (!Day.safeParse(dal).success || !Day.safeParse(al).success) return 'Scegli i due giorni.'
  if (dal > al) return 'Il primo giorno viene dopo il secondo.'
  return addDays(dal, MAX_DAYS) <= al ? `Al massimo ${MAX_DAYS} giorni.` : undefined
}

/** Chooses the period. Only a valid one is applied. */
export function ReportPeriod(props: { period: Period; onPeriod: (period: Period) => void }) {
  const { period, onPeriod } = props
  const [draft, setDraft] = useState<Period>(period)
  const [applied, setApplied] = useState(period)
  // A preset, or Back.
  if (applied.dal !== period.dal || applied.al !== period.al) {
    setApplied(period)
    setDraft(period)
  }
  const error = periodError(draft)
  const today = dayOf(useNow())

  function change(next: Period) {
    setDraft(next)
    if (periodError(next) === undefined) onPeriod(next)
  }

  return (
    <div className="flex flex-wrap items-end gap-3">
      <TextField
        type="date"
        label="Dal"
        max={today}
        value={draft.dal}
        error={error}
        onChange={({ target }) => change({ ...draft, dal: target.value })}
      />
      <TextField
        type="date"
        label="Al"
        max={today}
        value={draft.al}
        onChange={({ target }) => change({ ...draft, al: target.value })}
      />
      <div role="group" aria-label="Periodi" className="flex flex-wrap gap-2">
        {presets.map(({ text, days }) => {
          const dal = addDays(today, 1 - days)
          return (
            <Button
              key={text}
              aria-pressed={period.dal === dal && period.al === today}
              onClick={() => change({ dal, al: today })}
            >
              {text}
            </Button>
          )
        })}
      </div>
    </div>
  )
}
