import { z } from 'zod/mini'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { PriorPrice, type ShownPrice, shownPrice } from './offer-prices.ts'
import { OfferFields } from './offers.ts'
import { PublicProfile } from './pharmacy-profile.ts'

/** The public data of an offer. Medicines have no description. */
export const PublicOffer = z.object({
  id: z.uuid(),
  createdTime: z.string(),
  fields: z.pick(OfferFields, {
    Nome_Prodotto: true,
    Descrizione: true,
    Categoria: true,
    Prezzo_Listino: true,
    Prezzo_Offerta: true,
    Data_Inizio: true,
    Data_Fine: true,
    Stato_Offerta: true,
    URL_Immagine: true,
  }),
  prior: z.nullable(z.pick(PriorPrice, { cents: true })),
  /** Whether customers reserve the product instead of ordering it. */
  medicine: z.boolean(),
  /** The size of the picture in pixels, which reserves its space before it loads; null where it is unknown. */
  imageSize: z.nullable(z.object({ width: z.int(), height: z.int() })),
})
export type PublicOffer = z.infer<typeof PublicOffer>

/** Why a pharmacy's offers are not shown. The page has its own text for each value. */
export const PublicOffersError = z.enum([
  'ID farmacia non valido',
  'Farmacia non trovata',
  'Farmacia non attiva',
  'Funzionalità offerte non disponibile',
])
export type PublicOffersError = z.infer<typeof PublicOffersError>

export const PublicPharmacy = z.object({
  name: z.string(),
  /** As entered by the pharmacy; null where there is none. */
  phone: z.nullable(z.string()),
  /** For `tel:` links (`+39…`) and for WhatsApp (digits only); null where `phone` is not a telephone number. */
  callNumber: z.nullable(z.string()),
  whatsAppNumber: z.nullable(z.string()),
  address: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
  /** Null for any number. */
  max_offers: z.nullable(z.int()),
  /** The readable code, in its canonical form. */
  pharmacy_id: z.string(),
  error: z.nullable(z.string()),
  /** Whether views of its page are counted, and whether orders over WhatsApp carry a code; false with an error. */
  isCounting: z.boolean(),
  hasOrderCodes: z.boolean(),
  /** Whether customers may add the codes of a prescription to their message; false with an error. */
  hasPrescriptionFields: z.boolean(),
  /** Null where it shows nothing of it, or has an error. */
  profile: z.nullable(PublicProfile),
})
export type PublicPharmacy = z.infer<typeof PublicPharmacy>

/** The public offers of a pharmacy on a day. There are none with an error. */
export const PublicOffers = z.object({
  /** In the order chosen by the pharmacy (`arranged`), otherwise newest first. */
  offers: z.array(PublicOffer),
  arranged: z.boolean(),
  /** Null if the pharmacy does not exist. */
  pharmacy: z.nullable(PublicPharmacy),
  error: z.optional(PublicOffersError),
  /** The names of all categories, in display order. */
  categories: z.array(z.string()),
  day: Day,
})
export type PublicOffers = z.infer<typeof PublicOffers>

/** The code is case-insensitive. */
export const listPublicOffers = endpoint({
  method: 'GET',
  path: '/api/public/offers/:pharmacyCode',
  summary: 'Get the published offers of a pharmacy',
  access: 'public',
  params: z.object({ pharmacyCode: z.string() }),
  response: PublicOffers,
  errors: [],
})

const OFFER_KINDS = ['all', 'offers', 'featured'] as const
export const OfferKind = z.enum(OFFER_KINDS)
export type OfferKind = z.infer<typeof OfferKind>

/** `pharmacy`: the order chosen by the pharmacy, if any. */
const OFFER_SORTS = [
  'typeAndDiscount',
  'discount',
  'priceAsc',
  'priceDesc',
  'nameAsc',
  'pharmacy',
] as const
export const OfferSort = z.enum(OFFER_SORTS)
export type OfferSort = z.infer<typeof OfferSort>

/** Filter and sort order of the public page. */
export const PublicOffersSearch = z.object({
  categoria: z.optional(z.string()),
  tipo: OfferKind,
  /** Absent: the order chosen by the pharmacy, or else `typeAndDiscount`. */
  ordine: z.optional(OfferSort),
})
export type PublicOffersSearch = z.infer<typeof PublicOffersSearch>

/** No filter, default order. */
export const NO_SEARCH: PublicOffersSearch = { tipo: 'all' }

/** Parses a query string or a form; invalid values are left out. By hand: the public page is built without schemas. */
export function parseSearch(from: { get(name: string): unknown }): PublicOffersSearch {
  const [categoria, tipo, ordine] = ['categoria', 'tipo', 'ordine'].map((name) => from.get(name))
  const sort = OFFER_SORTS.find((name) => name === ordine)
  return {
    tipo: OFFER_KINDS.find((name) => name === tipo) ?? 'all',
    ...(typeof categoria === 'string' && categoria !== '' && { categoria }),
    ...(sort && { ordine: sort }),
  }
}

/** The search among these offers: without defaults and unknown categories. */
export function effectiveSearch(
  { categories, arranged }: Pick<PublicOffers, 'categories' | 'arranged'>,
  { categoria, tipo, ordine }: PublicOffersSearch,
): PublicOffersSearch {
  const known = categoria !== undefined && categories.includes(categoria)
  const usual = arranged ? 'pharmacy' : 'typeAndDiscount'
  const meant = ordine === usual || (ordine === 'pharmacy' && !arranged) ? undefined : ordine
  return { tipo, ...(known && { categoria }), ...(meant && { ordine: meant }) }
}

/** The query string for a filter. Default values are omitted. */
export function toSearchParams({ categoria, tipo, ordine }: PublicOffersSearch): URLSearchParams {
  const query = new URLSearchParams()
  if (categoria !== undefined) query.set('categoria', categoria)
  if (tipo !== 'all') query.set('tipo', tipo)
  if (ordine !== undefined) query.set('ordine', ordine)
  return query
}

/** The data that the public page is rendered from, on the server and in the browser. */
export const PublicPage = z.object({
  /** Null if the offers could not be loaded. */
  content: z.nullable(PublicOffers),
  search: PublicOffersSearch,
  /** The id of the offer in the URL; the offer may not exist any more. */
  offerId: z.nullable(z.string()),
  /** The base URL of the application, without a trailing slash. */
  publicUrl: z.string(),
  /** The path of the picture for link previews (`og:image`); null where there is none. */
  shareImage: z.nullable(z.string()),
})
export type PublicPage = z.infer<typeof PublicPage>

/** How an offer's price is shown to the public. */
export function publicPrice({ fields, prior }: PublicOffer): ShownPrice {
  return shownPrice(fields.Prezzo_Listino, fields.Prezzo_Offerta, prior)
}

/** Filters and sorts the offers of the page. */
export function filterAndSortOffers(
  { offers, arranged }: Pick<PublicOffers, 'offers' | 'arranged'>,
  { categoria, tipo, ordine }: PublicOffersSearch,
): PublicOffer[] {
  const sought = offers.filter(
    (offer) =>
      (categoria === undefined || offer.fields.Categoria === categoria) &&
      (tipo === 'all' || (tipo === 'offers') === (publicPrice(offer).type === 'discount')),
  )
  const usual = arranged ? 'pharmacy' : 'typeAndDiscount'
  const sort = ordine === undefined || ordine === 'pharmacy' ? usual : ordine
  return sort === 'pharmacy' ? sought : [...sought].sort(comparers[sort])
}

const byName = (one: PublicOffer, other: PublicOffer) =>
  one.fields.Nome_Prodotto.localeCompare(other.fields.Nome_Prodotto, 'it')
const byPrice = (one: PublicOffer, other: PublicOffer) =>
  one.fields.Prezzo_Offerta - other.fields.Prezzo_Offerta
const byDiscount = (one: PublicOffer, other: PublicOffer) =>
  publicPrice(other).percent - publicPrice(one).percent
/** By type, because `percent` is rounded: a discount below half a percent is still a discount. */
const byType = (one: PublicOffer, other: PublicOffer) =>
  publicPrice(one).type.localeCompare(publicPrice(other).type)

const comparers: Record<
  Exclude<OfferSort, 'pharmacy'>,
  (one: PublicOffer, other: PublicOffer) => number
> = {
  typeAndDiscount: (one, other) =>
    byType(one, other) || byDiscount(one, other) || byName(one, other),
  discount: (one, other) => byDiscount(one, other) || byName(one, other),
  priceAsc: (one, other) => byPrice(one, other) || byName(one, other),
  priceDesc: (one, other) => byPrice(other, one) || byName(one, other),
  nameAsc: byName,
}
