import type { Day } from '@bancone/contract/dates'
import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import { dayIn } from './offer-fields.ts'
import { useOfferField } from './use-offer-field.ts'

/** First and last day on which the offer is published, both included. */
export function PeriodFields({ today }: { today: Day }) {
  const starts = useOfferField('starts')
  // While a date is typed incompletely, the input's value is empty: it is not replaced until it is complete or left.
  const [typing, setTyping] = useState(false)
  const start = dayIn(starts.value) ?? today
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField
        label="Data di inizio"
        type="date"
        {...starts}
        value={typing ? starts.value : starts.value || today}
        onChange={(event) => {
          setTyping(true)
          starts.onChange(event)
        }}
        onBlur={() => {
          setTyping(false)
          starts.onBlur()
        }}
      />
      <TextField
        label="Data di fine"
        type="date"
        min={start > today ? start : today}
        hint="Facoltativa"
        {...useOfferField('ends')}
      />
    </div>
  )
}
