import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { queryText } from '../../lib/query-text.ts'

/** Which of the offers are listed; all when it is not said. */
export const OfferTab = z.enum(['tutte', 'attive', 'inattive', 'archivio'])
export type OfferTab = z.infer<typeof OfferTab>

export const OfferSorting = z.enum([
  'recenti',
  'nome',
  'nome-za',
  'prezzo',
  'prezzo-alto',
  'sconto',
  'scadenza',
])
export type OfferSorting = z.infer<typeof OfferSorting>

export const MOST_LETTERS = 100

/** What is not valid in the address counts as not said. */
const Address = z.object({
  stato: OfferTab.catch('tutte'),
  q: z.string().max(MOST_LETTERS).catch(''),
  ordina: OfferSorting.catch('recenti'),
  /** What the form is open for: a new offer, or the one with that id. */
  offerta: z
    .union([z.literal('nuova'), z.uuid()])
    .nullable()
    .catch(null),
  /** The offer that a new one begins as. */
  copia: z.uuid().nullable().catch(null),
})
export type OffersAddress = z.infer<typeof Address>

export const NO_FILTER = { stato: 'tutte', q: '' } as const satisfies Partial<OffersAddress>
export const NO_FORM = { offerta: null, copia: null } as const satisfies Partial<OffersAddress>

export function parseOffersAddress(search: string): OffersAddress {
  return Address.parse(Object.fromEntries(new URLSearchParams(search)))
}

/** Defaults are not written. */
export function formatOffersAddress(address: Partial<OffersAddress>): string {
  const search = new URLSearchParams()
  if (address.stato !== undefined && address.stato !== 'tutte') search.set('stato', address.stato)
  if (address.q) search.set('q', address.q)
  if (address.ordina !== undefined && address.ordina !== 'recenti') {
    search.set('ordina', address.ordina)
  }
  if (address.offerta) search.set('offerta', address.offerta)
  if (address.copia) search.set('copia', address.copia)
  return queryText(search)
}

export type Go = (change: Partial<OffersAddress>, options?: { replace?: boolean }) => void

/** What the address bar asks for, the same object while it is the same, and how to ask for something else. */
export function useOffersAddress() {
  const location = useLocation()
  const { search } = location
  const entry: unknown = location.state
  const navigate = useNavigate()
  const address = useMemo(() => parseOffersAddress(search), [search])
  const go: Go = useCallback(
    (change, { replace = false } = {}) =>
      void navigate(
        // As it is at this moment: what was asked for a moment ago may not be rendered yet.
        {
          search: formatOffersAddress({ ...parseOffersAddress(window.location.search), ...change }),
        },
        // In the place of an entry, what the history knows of it stays so.
        { replace, state: replace ? entry : null },
      ),
    [navigate, entry],
  )
  return { address, go }
}
