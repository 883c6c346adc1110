import { z } from 'zod/mini'
import { type ChangeFilter, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

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

const offersUrl = searchParamsFormat(
  z.object({
    stato: z.catch(OfferTab, 'tutte'),
    q: z.catch(z.string().check(z.maxLength(MAX_LETTERS)), ''),
    ordina: z.catch(OfferSorting, 'recenti'),
    /** The form: a new offer, or the id of an existing one. */
    offerta: z.catch(z.nullable(z.union([z.literal('nuova'), z.uuid()])), null),
    /** The offer to copy. */
    copia: z.catch(z.nullable(z.uuid()), null),
  }),
)
export type OffersAddress = ReturnType<typeof offersUrl.parse>

export const NO_FILTER = { stato: 'tutte', q: '' } as const satisfies Partial<OffersAddress>
export const NO_FORM = { offerta: null, copia: null } as const satisfies Partial<OffersAddress>

export function parseOffersAddress(search: string): OffersAddress {
  return offersUrl.parse({ search })
}

export function formatOffersAddress(address: Partial<OffersAddress>): string {
  return offersUrl.format(address).search
}

export type Go = ChangeFilter<OffersAddress>

/** The state of the page in the URL, and a function to change it. */
export function useOffersAddress() {
  return useUrlFilter<OffersAddress>(offersUrl)
}
