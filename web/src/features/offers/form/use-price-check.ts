import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { checkOfferPrice } from '@bancone/contract/offers'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import type { OfferDraft } from './offer-draft.ts'
import { nothingAsked, priceRequest } from './price-request.ts'

/** So long nobody has typed before the server is asked. */
const PAUSE_MS = 400

export type PriceCheck =
  /** There is no reduction to be checked, or not yet. */
  | { state: 'none'; prior: null }
  /** `prior`: as it was known before, if it was. */
  | { state: 'checking' | 'checked'; prior: PriorPrice | null }
  | { state: 'failed'; prior: null; again: () => void }

/** A text once it has stayed the same for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What a reduction is measured by, for the prices that stand in the form just now. */
export function usePriceCheck(draft: OfferDraft, offerId: string | null, today: Day): PriceCheck {
  const request = priceRequest(draft, offerId, today)
  const wanted = JSON.stringify(request)
  const settled = useSettled(wanted) === wanted
  const { data, error, isFetching, isPlaceholderData, refetch } = useEndpoint(
    checkOfferPrice,
    request ?? nothingAsked,
    {
      enabled: request !== null && settled,
      placeholderData: keepPreviousData,
      // What was true of the past may not be once something is saved.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  )

  if (request === null) return { state: 'none', prior: null }
  if (!settled || isFetching) return { state: 'checking', prior: data?.prior ?? null }
  if (error) return { state: 'failed', prior: null, again: () => void refetch() }
  return { state: isPlaceholderData ? 'checking' : 'checked', prior: data?.prior ?? null }
}
