import { FIRST_DAY } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { boundErrors, type Days } from './analytics-address.ts'

type CustomPeriodProps = {
  start: { dal: string | null; al: string | null }
  today: Day
  /** The period is in the URL already: its errors are shown at once. */
  isApplied: boolean
  onApply: (days: Days) => void
}

/** The bounds of a custom period. They apply together, when both are right. */
export function CustomPeriod({ start, today, isApplied, onApply }: CustomPeriodProps) {
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
