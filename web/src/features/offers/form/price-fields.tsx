import { useState } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { typedPriceError } from './offer-schema.ts'
import { useOfferField } from './use-offer-field.ts'

type PriceFieldProps = {
  name: 'listPrice' | 'offerPrice'
  label: string
  placeholder: string
  draft: OfferDraft
}

/** Its error is shown once the field is left, also before the form is submitted. */
function PriceField({ name, label, placeholder, draft }: PriceFieldProps) {
  const { error, onChange, onBlur, ...field } = useOfferField(name)
  const [left, setLeft] = useState(false)
  return (
    <TextField
      label={label}
      placeholder={placeholder}
      inputMode="decimal"
      autoComplete="off"
      required
      error={error ?? (left ? typedPriceError(name, draft) : undefined)}
      {...field}
      onChange={(event) => {
        setLeft(false)
        onChange(event)
      }}
      onBlur={() => {
        setLeft(true)
        onBlur()
      }}
    />
  )
}

export function PriceFields({ draft }: { draft: OfferDraft }) {
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <PriceField name="listPrice" label="Prezzo di listino (€)" placeholder="9,90" draft={draft} />
      <PriceField
        name="offerPrice"
        label="Prezzo in offerta (€)"
        placeholder="7,90"
        draft={draft}
      />
    </div>
  )
}
