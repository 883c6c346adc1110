import type { Day } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { checkOfferPrice, type PriceCheck } from '@bancone/contract/offers'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usableCode } from '../../../features/images/use-image-by-code.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import type { OfferDraft } from './offer-draft.ts'
import { centsOf, dayIn, priorCentsOf } from './offer-fields.ts'

/** Debounce in milliseconds before the server is asked. */
const PAUSE_MS = 400

export type PriceCheckState =
  /** Nothing to check, or not yet. */
  | { state: 'none'; result: null }
  /** `result`: the last known one, if any. */
  | { state: 'checking'; result: PriceCheck | null }
  | { state: 'checked'; result: PriceCheck }
  | { state: 'failed'; result: null; again: () => void }

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
  if (name === '' || list === null || offer === null || offer > list) return null
  const prior = priorCentsOf(draft)
  const starts = dayIn(draft.starts) ?? today
  const ends = dayIn(draft.ends)
  const fields = {
    Nome_Prodotto: name,
    Codice_Minsan: usableCode(draft.code),
    Prezzo_Listino: list,
    Prezzo_Offerta: offer,
    Prezzo_Precedente: prior !== null && prior <= list ? prior : null,
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

/** What the server says of the prices in the form. */
export function usePriceCheck(
  draft: OfferDraft,
  offerId: string | null,
  today: Day,
): PriceCheckState {
  const request = priceRequest(draft, offerId, today)
  const wanted = JSON.stringify(request)
  const settled = useSettled(wanted) === wanted
  const { data, error, isFetching, isPlaceholderData, refetch } = useEndpoint(
    checkOfferPrice,
    request ?? emptyRequest,
    {
      enabled: request !== null && settled,
      placeholderData: keepPreviousData,
      // Not cached: saving an offer may change the result.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  )

  if (request === null) return { state: 'none', result: null }
  if (error && settled && !isFetching) {
    return { state: 'failed', result: null, again: () => void refetch() }
  }
  if (!data || !settled || isFetching || isPlaceholderData) {
    return { state: 'checking', result: data ?? null }
  }
  return { state: 'checked', result: data }
}
