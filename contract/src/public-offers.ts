import { z } from 'zod'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { PriorPrice, type ShownPrice, shownPrice } from './offer-prices.ts'
import { OfferFields } from './offers.ts'

/** An offer as everybody may know it. Of a medicine there is no description. */
export const PublicOffer = z.object({
  id: z.uuid(),
  createdTime: z.string(),
  fields: OfferFields.pick({
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
  prior: PriorPrice.omit({ declared: true }).nullable(),
  /** It is reserved, not ordered. */
  medicine: z.boolean(),
  /** Of its picture, where they are known: they keep its place until it comes. */
  imageSize: z.object({ width: z.number().int(), height: z.number().int() }).nullable(),
})
export type PublicOffer = z.infer<typeof PublicOffer>

/** Why a pharmacy's offers are not shown. The page has its own words for each. */
export const PublicOffersError = z.enum([
  'ID farmacia non valido',
  'Farmacia non trovata',
  'Farmacia non attiva',
  'Funzionalità offerte non disponibile',
])
export type PublicOffersError = z.infer<typeof PublicOffersError>

export const PublicPharmacy = z.object({
  name: z.string(),
  /** As it is written; null where there is none. */
  phone: z.string().nullable(),
  /** For `tel:` (`+39…`) and for WhatsApp (digits alone); null where it is no telephone number. */
  callNumber: z.string().nullable(),
  whatsAppNumber: z.string().nullable(),
  address: z.string().nullable(),
  logoUrl: z.string().nullable(),
  max_offers: z.number().int(),
  /** The readable code, in its canonical form. */
  pharmacy_id: z.string(),
  error: z.string().nullable(),
})
export type PublicPharmacy = z.infer<typeof PublicPharmacy>

/** The public offers of a pharmacy on a day. With an error there are no offers. */
export const PublicOffers = z.object({
  /** In the pharmacy's own order, if it has put them in one; newest first otherwise. */
  offers: z.array(PublicOffer),
  arranged: z.boolean(),
  /** Null where there is no such pharmacy. */
  pharmacy: PublicPharmacy.nullable(),
  error: PublicOffersError.optional(),
  /** The names of all categories, in the order in which they are offered. */
  categories: z.array(z.string()),
  day: Day,
})
export type PublicOffers = z.infer<typeof PublicOffers>

/** Whatever the case of the code is. */
export const listPublicOffers = endpoint({
  method: 'GET',
  path: '/api/public/offers/:pharmacyId',
  summary: 'The offers that a pharmacy shows to everybody',
  access: 'public',
  params: z.object({ pharmacyId: z.string() }),
  response: PublicOffers,
  errors: [],
})

export const OfferKind = z.enum(['all', 'offers', 'featured'])
export type OfferKind = z.infer<typeof OfferKind>

/** `pharmacy`: as the pharmacy has put them, where it has. */
export const OfferSort = z.enum([
  'typeAndDiscount',
  'discount',
  'priceAsc',
  'priceDesc',
  'nameAsc',
  'pharmacy',
])
export type OfferSort = z.infer<typeof OfferSort>

/** What of the offers is looked at, as it stands in the address. What is not understood is not there. */
export const PublicOffersSearch = z.object({
  categoria: z.string().min(1).max(100).optional().catch(undefined),
  tipo: OfferKind.catch('all'),
  /** Absent: as the pharmacy has put them, or else `typeAndDiscount`. */
  ordine: OfferSort.optional().catch(undefined),
})
export type PublicOffersSearch = z.infer<typeof PublicOffersSearch>

/** As it stands in an address: nothing of what is as usual. */
export function searchQuery({ categoria, tipo, ordine }: PublicOffersSearch): URLSearchParams {
  const query = new URLSearchParams()
  if (categoria !== undefined) query.set('categoria', categoria)
  if (tipo !== 'all') query.set('tipo', tipo)
  if (ordine !== undefined) query.set('ordine', ordine)
  return query
}

/** What the public page is drawn from, here and there. */
export const PublicPage = z.object({
  /** Null: they could not be loaded. */
  content: PublicOffers.nullable(),
  search: PublicOffersSearch,
  /** The offer whose address was opened; it need not be among them any more. */
  offerId: z.string().nullable(),
  /** Where the application is reached, without a slash at its end. */
  publicUrl: z.string(),
  /** The path of the picture that previews of the page show; null where there is none. */
  shareImage: z.string().nullable(),
})
export type PublicPage = z.infer<typeof PublicPage>

/** How an offer's price is shown to the public. */
export function publicPrice({ fields, prior }: PublicOffer): ShownPrice {
  return shownPrice(fields.Prezzo_Listino, fields.Prezzo_Offerta, prior)
}

/** The offers that are looked at, in their order. */
export function soughtOffers(
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
/** Also where what is saved is less than half a percent. */
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
