import { shownPrice } from '@bancone/contract/offer-prices'
import { BadgePercent, Star, TriangleAlert } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type OfferDraft, priceText } from './offer-draft.ts'
import { centsOf } from './offer-fields.ts'
import { offerPreview, priceWarnings, priorSource, priorText } from './price-texts.ts'
import { useOfferField } from './use-offer-field.ts'
import type { PriceCheckState } from './use-price-check.ts'

type PriceNoteProps = {
  draft: OfferDraft
  check: PriceCheckState
}

/** How customers will see the price, and what the law requires, before anything is published. */
export function PriceNote({ draft, check }: PriceNoteProps) {
  const priorField = useOfferField('priorPrice')
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  if (list === null || offer === null || offer > list) return null
  const { result } = check
  const prior = result?.prior ?? null
  const isUnknown = result === null && offer < list
  const fromHistory = prior !== null && !prior.declared
  // What was typed stays, so that it can be corrected.
  const declares = offer < list && !fromHistory && (result !== null || draft.priorPrice !== '')
  const { type } = shownPrice(list, offer, prior)
  const Icon = type === 'discount' ? BadgePercent : Star
  return (
    <div className="flex flex-col gap-3 rounded-card bg-sunken px-3.5 py-3">
      <div role="status" className="flex gap-2.5">
        {isUnknown ? null : <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-accent" />}
        <div className="flex min-w-0 flex-col gap-1">
          {isUnknown ? null : <p className="font-medium">{offerPreview(list, offer, prior)}</p>}
          {prior === null ? null : (
            <p className="text-sm text-pretty text-muted">
              {priorText(prior)} <span className="whitespace-nowrap">· {priorSource(prior)}</span>
            </p>
          )}
          {(result ? priceWarnings(list, offer, result) : []).map((warning) => (
            <p key={warning} className="flex gap-1.5 text-sm text-pretty text-pending">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {warning}
            </p>
          ))}
          {check.state === 'checking' && result === null ? (
            <p className="text-sm text-muted">Controllo dei prezzi degli ultimi 30 giorni…</p>
          ) : null}
        </div>
      </div>
      {check.state === 'failed' ? (
        <p
          className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-pending"
          role="status"
        >
          Non è stato possibile controllare i prezzi degli ultimi 30 giorni.
          <Button size="small" onClick={check.again}>
            Riprova
          </Button>
        </p>
      ) : null}
      {declares || priorField.error !== undefined ? (
        <TextField
          label="Prezzo più basso degli ultimi 30 giorni (€)"
          inputMode="decimal"
          autoComplete="off"
          placeholder={priceText(list)}
          hint="Non abbiamo tutti i prezzi degli ultimi 30 giorni: scrivi tu il più basso."
          {...priorField}
        />
      ) : null}
    </div>
  )
}
