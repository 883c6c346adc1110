import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { queryString } from '../../lib/query-string.ts'

/** The tab; by default all offers. */
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

export const MAX_LETTERS = 100

/** Invalid values count as missing. */
const Address = z.object({
  stato: OfferTab.catch('tutte'),
  q: z.string().max(MAX_LETTERS).catch(''),
  ordina: OfferSorting.catch('recenti'),
  /** The form: a new offer, or the id of an existing one. */
  offerta: z
    .union([z.literal('nuova'), z.uuid()])
    .nullable()
    .catch(null),
  /** The offer to copy. */
  copia: z.uuid().nullable().catch(null),
})
export type OffersAddress = z.infer<typeof Address>

export const NO_FILTER = { stato: 'tutte', q: '' } as const satisfies Partial<OffersAddress>
export const NO_FORM = { offerta: null, copia: null } as const satisfies Partial<OffersAddress>

export function parseOffersAddress(search: string): OffersAddress {
  return Address.parse(Object.fromEntries(new URLSearchParams(search)))
}

/** Omits defaults. */
export function formatOffersAddress(address: Partial<OffersAddress>): string {
  const search = new URLSearchParams()
  if (address.stato !== undefined && address.stato !== 'tutte') search.set('stato', address.stato)
  if (address.q) search.set('q', address.q)
  if (address.ordina !== undefined && address.ordina !== 'recenti') {
    search.set('ordina', address.ordina)
  }
  if (address.offerta) search.set('offerta', address.offerta)
  if (address.copia) search.set('copia', address.copia)
  return queryString(search)
}

export type Go = (change: Partial<OffersAddress>, options?: { replace?: boolean }) => void

/** The state of the page in the URL, referentially stable, and functions to change it. */
export function useOffersAddress() {
  const location = useLocation()
  const { search } = location
  const entry: unknown = location.state
  const navigate = useNavigate()
  const address = useMemo(() => parseOffersAddress(search), [search])
  const go: Go = useCallback(
    (change, { replace = false } = {}) =>
      void navigate(
        // Reads the current URL: a recent navigation may not be rendered yet.
        {
          search: formatOffersAddress({ ...parseOffersAddress(window.location.search), ...change }),
        },
        // Replacing an entry keeps its history state.
        { replace, state: replace ? entry : null },
      ),
    [navigate, entry],
  )
  return { address, go }
}
