import { shownPrice } from '@bancone/contract/offer-prices'
import { BadgePercent, Star, TriangleAlert } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type OfferDraft, priceText } from './offer-draft.ts'
import { centsOf } from './offer-fields.ts'
import { offerPreview, priorSource, priorText, priorWarning } from './price-texts.ts'
import { useOfferField } from './use-offer-field.ts'
import type { PriceCheck } from './use-price-check.ts'

type PriceNoteProps = {
  draft: OfferDraft
  check: PriceCheck
}

/** How customers will see the price, and what the law requires, before anything is published. */
export function PriceNote({ draft, check }: PriceNoteProps) {
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  const { prior } = check
  const declares = prior === null ? draft.priorPrice !== '' : prior.declared
  if (list === null || offer === null || offer > list) return null
  const { type } = shownPrice(list, offer, prior)
  const warning = priorWarning(list, offer, prior)
  const Icon = type === 'discount' ? BadgePercent : Star
  return (
    <div className="flex flex-col gap-3 rounded-card bg-sunken px-3.5 py-3">
      <div role="status" className="flex gap-2.5">
        <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-accent" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium">{offerPreview(list, offer, prior)}</p>
          {prior === null ? null : (
            <p className="text-sm text-pretty text-muted">
              {priorText(prior)}{' '}
              <span className="whitespace-nowrap">· {priorSource(prior, draft.priorPrice)}</span>
            </p>
          )}
          {warning === null ? null : (
            <p className="flex gap-1.5 text-sm text-pretty text-pending">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {warning}
            </p>
          )}
          {check.state === 'checking' && prior === null ? (
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
      {declares ? <PriorPriceField list={list} /> : null}
    </div>
  )
}

function PriorPriceField({ list }: { list: number }) {
  return (
    <TextField
      label="Prezzo più basso degli ultimi 30 giorni (€)"
      inputMode="decimal"
      autoComplete="off"
      placeholder={priceText(list)}
      hint="Dei prezzi di prima non sappiamo niente: se è costato meno del listino, scrivilo qui."
      {...useOfferField('priorPrice')}
    />
  )
}
