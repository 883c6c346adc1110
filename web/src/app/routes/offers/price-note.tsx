import { shownPrice } from '@bancone/contract/offer-prices'
import { BadgePercent, Star, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { priorText } from '../../../lib/shown-prices.ts'
import { Button } from '../../../ui/button.tsx'
import { LIST_PRICE, type OfferDraft } from './offer-draft.ts'
import { centsOf } from './offer-fields.ts'
import { offerPreview, priceWarnings, priorSource } from './price-texts.ts'
import { useOfferField } from './use-offer-field.ts'
import type { PriceCheckState } from './use-price-check.ts'

type PriceNoteProps = {
  draft: OfferDraft
  check: PriceCheckState
}

/** How customers will see the price, and what the law requires, before anything is published. */
export function PriceNote({ draft, check }: PriceNoteProps) {
  const id = useId()
  const { ref, error, onChange, onBlur } = useOfferField('priorPrice')
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  if (list === null || offer === null || offer > list) return null
  const { result } = check
  const prior = result?.prior ?? null
  const isUnknown = result === null && offer < list
  const fromHistory = prior !== null && !prior.declared
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
      {declares || error !== undefined ? (
        <div className="flex flex-col gap-1">
          <label className="flex min-h-11 items-center gap-2.5 font-medium md:min-h-9 pointer-coarse:min-h-11">
            <input
              ref={ref}
              type="checkbox"
              name="priorPrice"
              checked={draft.priorPrice === LIST_PRICE}
              onChange={({ target }) => onChange(target.checked ? LIST_PRICE : '')}
              onBlur={onBlur}
              aria-describedby={`${id}-hint`}
              className="size-4.5 shrink-0 accent-accent"
            />
            Il prezzo di listino è stato praticato negli ultimi 30 giorni?
          </label>
          <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
            {error ?? 'Non abbiamo tutti i prezzi di quei giorni: spunta se è così.'}
          </p>
        </div>
      ) : null}
    </div>
  )
}
