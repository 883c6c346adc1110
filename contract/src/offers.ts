import { z } from 'zod'
import { MOST_DESCRIPTION } from './assistant.ts'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { Minsan } from './minsan.ts'
import { PriceCents, PriorPrice } from './offer-prices.ts'

/** The stored state of an offer. */
export const OfferStatus = z.enum(['Attiva', 'Inattiva'])
export type OfferStatus = z.infer<typeof OfferStatus>

export const MOST_PRODUCT_NAME = 200

/** Offers of a pharmacy, whatever their state. */
export const MOST_OFFERS = 1_000

/** The picture of an offer that has none of its own: a file of ours. */
export const PLACEHOLDER_IMAGE = '/product-placeholder.svg'

/**
 * An offer, with the names that it has in the order store of old. Prices are cents. `CloudinaryID` is the public id
 * of a picture that we keep; null for one of a provider, and for the placeholder. `Farmacia_ID` is the readable code.
 * Without `Data_Fine` it has no end; both days are part of it.
 */
export const OfferFields = z.object({
  Nome_Prodotto: z.string(),
  Descrizione: z.string(),
  Categoria: z.string(),
  Codice_Minsan: z.string().nullable(),
  Prezzo_Listino: PriceCents,
  Prezzo_Offerta: PriceCents,
  /** What the pharmacy says was the lowest price of the 30 days before, where nothing is known of them. */
  Prezzo_Precedente: PriceCents.nullable(),
  Data_Inizio: Day,
  Data_Fine: Day.optional(),
  Stato_Offerta: OfferStatus,
  URL_Immagine: z.string(),
  CloudinaryID: z.string().nullable(),
  Farmacia_ID: z.string(),
})
export type OfferFields = z.infer<typeof OfferFields>

export const OfferRecord = z.object({
  id: z.uuid(),
  createdTime: z.string(),
  updatedTime: z.string(),
  fields: OfferFields,
  /** Of a reduction that is shown now, or would be if the offer were active today; null where there is none. */
  prior: PriorPrice.nullable(),
  /** Its place among the others, from 0; null where the pharmacy has not put it anywhere. */
  position: z.number().int().nullable(),
})
export type OfferRecord = z.infer<typeof OfferRecord>

/** What is effectively so on a day: an offer can be switched on and not shown all the same. */
export type OfferState = 'active' | 'inactive' | 'scheduled' | 'expired'

export function offerState(
  fields: Pick<OfferFields, 'Stato_Offerta' | 'Data_Inizio' | 'Data_Fine'>,
  today: Day,
): OfferState {
  if (fields.Data_Fine !== undefined && fields.Data_Fine < today) return 'expired'
  if (fields.Stato_Offerta === 'Inattiva') return 'inactive'
  return fields.Data_Inizio > today ? 'scheduled' : 'active'
}

/** What a pharmacy writes of an offer. Of a picture that we keep the address is ours to say. */
const Written = z.strictObject({
  Nome_Prodotto: z.string().trim().min(1).max(MOST_PRODUCT_NAME),
  Descrizione: z.string().trim().max(MOST_DESCRIPTION).default(''),
  Categoria: z.string().trim().min(1).max(100),
  Codice_Minsan: z
    .union([z.literal('').transform(() => null), Minsan])
    .nullable()
    .default(null),
  Prezzo_Listino: PriceCents,
  Prezzo_Offerta: PriceCents,
  Prezzo_Precedente: PriceCents.nullable().default(null),
  /** Today if it is not said. */
  Data_Inizio: Day.optional(),
  Data_Fine: Day.optional(),
  Stato_Offerta: OfferStatus.default('Attiva'),
  URL_Immagine: z.string().max(2_000),
  CloudinaryID: z.string().max(100).nullable().default(null),
})
export type WrittenOffer = z.output<typeof Written>

const ofWriting = [
  'offers.price_above_list',
  'offers.ends_too_early',
  'offers.unknown_category',
  'offers.wrong_code',
  'offers.image_missing',
  'offers.limit_reached',
] as const

/** In small letters, as the database says it: pictures are held in its name. */
const OwnId = z.uuid().toLowerCase()
const OfferId = z.object({ offerId: OwnId })

/** All offers, newest first, and how many of those that are or will be shown there may be. */
export const listOffers = endpoint({
  method: 'GET',
  path: '/api/offers',
  summary: 'The offers of the pharmacy, newest first',
  access: 'pharmacy',
  feature: 'offers',
  response: z.object({
    offers: z.array(OfferRecord),
    limit: z.object({ active: z.number().int(), most: z.number().int() }),
    today: Day,
  }),
  errors: [],
})

/**
 * With an `id` it can be sent again when the answer was lost: where the pharmacy has an offer of that id already,
 * that one is the answer, as it is. One that is somebody else's is not found.
 */
export const createOffer = endpoint({
  method: 'POST',
  path: '/api/offers',
  summary: 'Makes an offer',
  access: 'pharmacy',
  feature: 'offers',
  body: z.strictObject({ id: OwnId.optional(), fields: Written }),
  response: OfferRecord,
  status: 201,
  errors: [...ofWriting, 'offers.too_many', 'offers.not_found'],
})

/**
 * Writes the fields that are given and leaves the others; `Data_Fine: null` takes the end away. With `seen`, the
 * `updatedTime` that was seen, it is refused when somebody has changed the offer since.
 */
export const changeOffer = endpoint({
  method: 'PATCH',
  path: '/api/offers/:offerId',
  summary: 'Changes an offer',
  access: 'pharmacy',
  feature: 'offers',
  params: OfferId,
  body: z.strictObject({
    fields: z
      .strictObject({
        ...Written.shape,
        Descrizione: Written.shape.Descrizione.unwrap(),
        Codice_Minsan: Written.shape.Codice_Minsan.unwrap(),
        Prezzo_Precedente: Written.shape.Prezzo_Precedente.unwrap(),
        Data_Fine: Day.nullable(),
        Stato_Offerta: OfferStatus,
        CloudinaryID: Written.shape.CloudinaryID.unwrap(),
      })
      .partial(),
    seen: z.string().max(40).optional(),
  }),
  response: OfferRecord,
  errors: ['offers.not_found', 'offers.changed_meanwhile', ...ofWriting],
})
export type OfferChange = z.output<(typeof changeOffer)['body']>['fields']

export const removeOffer = endpoint({
  method: 'DELETE',
  path: '/api/offers/:offerId',
  summary: 'Removes an offer for good',
  access: 'pharmacy',
  feature: 'offers',
  params: OfferId,
  response: z.object({}),
  errors: ['offers.not_found'],
})

/** The offers in the order in which customers see them; none: as the page orders them by itself. */
export const arrangeOffers = endpoint({
  method: 'PUT',
  path: '/api/offers/order',
  summary: 'Puts the offers in an order',
  access: 'pharmacy',
  feature: 'offers',
  body: z.strictObject({ offerIds: z.array(z.uuid()).max(MOST_OFFERS) }),
  response: z.object({}),
  errors: ['offers.not_found'],
})

/** What the public would be shown of these prices, before they are published. */
export const checkOfferPrice = endpoint({
  method: 'POST',
  path: '/api/offers/price-checks',
  summary: 'The lowest price of the 30 days before a reduction',
  access: 'pharmacy',
  feature: 'offers',
  body: z.strictObject({
    /** The offer that would have them; null for a new one. */
    offerId: z.uuid().nullable(),
    fields: Written.pick({
      Nome_Prodotto: true,
      Codice_Minsan: true,
      Prezzo_Listino: true,
      Prezzo_Offerta: true,
      Prezzo_Precedente: true,
      Data_Inizio: true,
      Data_Fine: true,
      Stato_Offerta: true,
    }),
  }),
  response: z.object({ prior: PriorPrice.nullable() }),
  errors: ['offers.price_above_list', 'offers.ends_too_early'],
})
