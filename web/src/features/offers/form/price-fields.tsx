import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { type FieldErrors, priceErrors } from './offer-problems.ts'

const common = { inputMode: 'decimal', autoComplete: 'off', required: true } as const

type PriceFieldsProps = {
  draft: OfferDraft
  onChange: (change: Partial<OfferDraft>) => void
  errors: FieldErrors
}

/** List price and offer price. Errors are shown once a field is left. */
export function PriceFields({ draft, onChange, errors }: PriceFieldsProps) {
  const [left, setLeft] = useState({ listPrice: false, offerPrice: false })
  const found = priceErrors(draft)
  const field = (name: 'listPrice' | 'offerPrice') => ({
    ...common,
    name,
    value: draft[name],
    error: errors[name] ?? (left[name] ? found[name] : undefined),
    onChange({ target }: { target: HTMLInputElement }) {
      setLeft({ ...left, [name]: false })
      onChange({ [name]: target.value })
    },
    onBlur: () => setLeft({ ...left, [name]: true }),
  })
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <TextField label="Prezzo di listino (€)" placeholder="9,90" {...field('listPrice')} />
      <TextField label="Prezzo in offerta (€)" placeholder="7,90" {...field('offerPrice')} />
    </div>
  )
}
