import type { Day } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { checkOfferPrice } from '@bancone/contract/offers'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import type { OfferDraft } from './offer-draft.ts'
import { centsOf, codeOf, dayIn } from './offer-fields.ts'

/** Debounce in milliseconds before the server is asked. */
const PAUSE_MS = 400

export type PriceCheck =
  /** Nothing to check, or not yet. */
  | { state: 'none'; prior: null }
  /** `prior`: the last known one, if any. */
  | { state: 'checking' | 'checked'; prior: PriorPrice | null }
  | { state: 'failed'; prior: null; again: () => void }

type PriceRequest = Request<typeof checkOfferPrice>

/** Placeholder while nothing can be requested. */
const emptyRequest: PriceRequest = {
  body: { offerId: null, fields: { Nome_Prodotto: '-', Prezzo_Listino: 1, Prezzo_Offerta: 1 } },
}

/** The request that checks the prices of a draft; null while there is nothing to check. */
export function priceRequest(
  draft: OfferDraft,
  offerId: string | null,
  today: Day,
): PriceRequest | null {
  const name = draft.name.trim()
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  if (name === '' || list === null || offer === null || offer >= list) return null
  const starts = dayIn(draft.starts) ?? today
  const ends = dayIn(draft.ends)
  const fields = {
    Nome_Prodotto: name,
    Codice_Minsan: codeOf(draft.code),
    Prezzo_Listino: list,
    Prezzo_Offerta: offer,
    Prezzo_Precedente: centsOf(draft.priorPrice),
    Data_Inizio: starts,
    // An invalid end has no influence on the prior price.
    ...(ends !== null && ends >= starts && ends >= today && { Data_Fine: ends }),
    Stato_Offerta: draft.active ? ('Attiva' as const) : ('Inattiva' as const),
  }
  return { body: { offerId, fields } }
}

/** Debounces a text. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The prior price for the prices in the form. */
export function usePriceCheck(draft: OfferDraft, offerId: string | null, today: Day): PriceCheck {
  const request = priceRequest(draft, offerId, today)
  const wanted = JSON.stringify(request)
  const settled = useSettled(wanted) === wanted
  const { data, error, isFetching, isPlaceholderData, refetch } = useEndpoint(
    checkOfferPrice,
    request ?? emptyRequest,
    {
      enabled: request !== null && settled,
      placeholderData: keepPreviousData,
      // Not cached: saving an offer may change the prior price.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  )

  if (request === null) return { state: 'none', prior: null }
  if (!settled || isFetching) return { state: 'checking', prior: data?.prior ?? null }
  if (error) return { state: 'failed', prior: null, again: () => void refetch() }
  return { state: isPlaceholderData ? 'checking' : 'checked', prior: data?.prior ?? null }
}
