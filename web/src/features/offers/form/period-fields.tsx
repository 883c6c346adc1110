import type { Day } from '@bancone/contract/dates'
import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { dayIn } from './offer-fields.ts'

type PeriodFieldsProps = {
  draft: OfferDraft
  today: Day
  onChange: (change: Partial<OfferDraft>) => void
  error: string | undefined
}

/** First and last day on which the offer is published, both included. */
export function PeriodFields({ draft, today, onChange, error }: PeriodFieldsProps) {
  // While a date is typed incompletely, the input's value is empty: it is not replaced until it is complete or left.
  const [typing, setTyping] = useState(false)
  const start = dayIn(draft.starts) ?? today
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField
        label="Data di inizio"
        type="date"
        name="starts"
        value={typing ? draft.starts : draft.starts || today}
        onChange={({ target }) => {
          setTyping(true)
          onChange({ starts: target.value })
        }}
        onBlur={() => setTyping(false)}
      />
      <TextField
        label="Data di fine"
        type="date"
        name="ends"
        min={start > today ? start : today}
        value={draft.ends}
        error={error}
        hint="Facoltativa"
        onChange={({ target }) => onChange({ ends: target.value })}
      />
    </div>
  )
}
