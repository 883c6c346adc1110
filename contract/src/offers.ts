import { z } from 'zod/mini'
import { MAX_DESCRIPTION_LENGTH } from './assistant.ts'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { Minsan } from './minsan.ts'
import { PriceCents, PriorPrice } from './offer-prices.ts'

/** The stored state of an offer. */
export const OfferStatus = z.enum(['Attiva', 'Inattiva'])
export type OfferStatus = z.infer<typeof OfferStatus>

export const MAX_PRODUCT_NAME_LENGTH = 200

/** The most offers of a pharmacy, in any state. */
export const MAX_OFFERS = 1_000

/** The path of the picture of offers without one. */
export const PLACEHOLDER_IMAGE = '/product-placeholder.svg'

/**
 * An offer, with the column names of the former Airtable table. Prices are cents. `CloudinaryID` is the public id of a
 * stored picture; null for a provider's picture and for the placeholder. `Farmacia_ID` is the pharmacy's readable code.
 * `Data_Inizio` and `Data_Fine` are inclusive; without `Data_Fine` the offer does not end.
 */
export const OfferFields = z.object({
  Nome_Prodotto: z.string(),
  Descrizione: z.string(),
  Categoria: z.string(),
  Codice_Minsan: z.nullable(z.string()),
  Prezzo_Listino: PriceCents,
  Prezzo_Offerta: PriceCents,
  /** The prior price declared by the pharmacy, used where not all prices of the 30 days are known. */
  Prezzo_Precedente: z.nullable(PriceCents),
  Data_Inizio: Day,
  Data_Fine: z.optional(Day),
  Stato_Offerta: OfferStatus,
  URL_Immagine: z.string(),
  CloudinaryID: z.nullable(z.string()),
  Farmacia_ID: z.string(),
})
export type OfferFields = z.infer<typeof OfferFields>

/** Why an active offer is not published. */
export const OfferRefusal = z.enum([
  'offers.code_missing',
  'offers.prescription',
  'offers.not_authorised',
])
export type OfferRefusal = z.infer<typeof OfferRefusal>

export const OfferRecord = z.object({
  id: z.uuid(),
  createdTime: z.string(),
  updatedTime: z.string(),
  fields: OfferFields,
  /**
   * The prior price, if the offer is a reduction today or would be if it were active; null otherwise, and while the
   * prices of the 30 days are neither known nor declared.
   */
  prior: z.nullable(PriorPrice),
  /** Whether the product is a medicine, by its code or else by its category. */
  medicine: z.boolean(),
  refusal: z.nullable(OfferRefusal),
  /** Position in the order chosen by the pharmacy, from 0; null where it has chosen none. */
  position: z.nullable(z.int()),
})
export type OfferRecord = z.infer<typeof OfferRecord>

/** The effective state of an offer on a day: an offer with status `Attiva` may not be shown yet, or not any more. */
export type OfferState = 'active' | 'inactive' | 'scheduled' | 'expired'

export function offerState(
  fields: Pick<OfferFields, 'Stato_Offerta' | 'Data_Inizio' | 'Data_Fine'>,
  today: Day,
): OfferState {
  if (fields.Data_Fine !== undefined && fields.Data_Fine < today) return 'expired'
  if (fields.Stato_Offerta === 'Inattiva') return 'inactive'
  return fields.Data_Inizio > today ? 'scheduled' : 'active'
}

/** The fields of an offer that a pharmacy writes. The server sets the URL of a stored picture. */
export const OfferInput = z.strictObject({
  Nome_Prodotto: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_PRODUCT_NAME_LENGTH)),
  Descrizione: z._default(z.string().check(z.trim(), z.maxLength(MAX_DESCRIPTION_LENGTH)), ''),
  Categoria: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  Codice_Minsan: z._default(
    z.nullable(
      z.union([
        z.pipe(
          z.literal(''),
          z.transform(() => null),
        ),
        Minsan,
      ]),
    ),
    null,
  ),
  Prezzo_Listino: PriceCents,
  Prezzo_Offerta: PriceCents,
  Prezzo_Precedente: z._default(z.nullable(PriceCents), null),
  /** Today by default. */
  Data_Inizio: z.optional(Day),
  Data_Fine: z.optional(Day),
  Stato_Offerta: z._default(OfferStatus, 'Attiva'),
  URL_Immagine: z.string().check(z.maxLength(2_000)),
  CloudinaryID: z._default(z.nullable(z.string().check(z.maxLength(100))), null),
  /** The code of the caller's pharmacy, as in a record that was read; another pharmacy's gives `access.denied`. */
  Farmacia_ID: z.optional(z.string().check(z.maxLength(100))),
})
export type OfferInput = z.output<typeof OfferInput>

const inputErrors = [
  'offers.price_above_list',
  'offers.prior_above_list',
  'offers.ends_too_early',
  'offers.unknown_category',
  'offers.wrong_code',
  ...OfferRefusal.options,
  'offers.image_missing',
  'offers.limit_reached',
] as const

/** Lower-case, as the database returns ids: the id is part of the key under which an offer holds its picture. */
const OwnId = z.uuid().check(z.toLowerCase())
const OfferId = z.object({ offerId: OwnId })

/** All offers, newest first. `limit`: how many active and scheduled offers there are, and the maximum. */
export const listOffers = endpoint({
  method: 'GET',
  path: '/api/offers',
  summary: 'List the offers of the pharmacy, newest first',
  access: 'pharmacy',
  feature: 'offers',
  supportSession: 'shown',
  response: z.object({
    offers: z.array(OfferRecord),
    limit: z.object({ active: z.int(), most: z.nullable(z.int()) }),
    today: Day,
  }),
  errors: [],
})

/**
 * A request with an `id` can be repeated when its response was lost: if the pharmacy already has an offer of that id,
 * that offer is returned unchanged. The id of another pharmacy's offer gives `offers.not_found`.
 */
export const createOffer = endpoint({
  method: 'POST',
  path: '/api/offers',
  summary: 'Create an offer',
  access: 'pharmacy',
  feature: 'offers',
  audit: 'offer_created',
  body: z.strictObject({ id: z.optional(OwnId), fields: OfferInput }),
  maxBodyBytes: 32 * 1024,
  response: OfferRecord,
  status: 201,
  errors: [...inputErrors, 'offers.too_many', 'offers.not_found'],
})

/**
 * Changes only the given fields; `Data_Fine: null` removes the end. `seen` is the `updatedTime` known to the caller:
 * the request is refused if the offer has been changed since.
 */
export const changeOffer = endpoint({
  method: 'PATCH',
  path: '/api/offers/:offerId',
  summary: 'Update an offer',
  access: 'pharmacy',
  feature: 'offers',
  audit: 'offer_changed',
  params: OfferId,
  body: z.strictObject({
    fields: z.partial(
      z.strictObject({
        ...OfferInput.shape,
        Descrizione: OfferInput.shape.Descrizione.def.innerType,
        Codice_Minsan: OfferInput.shape.Codice_Minsan.def.innerType,
        Prezzo_Precedente: OfferInput.shape.Prezzo_Precedente.def.innerType,
        Data_Fine: z.nullable(Day),
        Stato_Offerta: OfferStatus,
        CloudinaryID: OfferInput.shape.CloudinaryID.def.innerType,
      }),
    ),
    seen: z.optional(z.string().check(z.maxLength(40))),
  }),
  maxBodyBytes: 32 * 1024,
  response: OfferRecord,
  errors: ['offers.not_found', 'offers.changed_meanwhile', ...inputErrors],
})
export type OfferChange = z.output<(typeof changeOffer)['body']>['fields']

export const removeOffer = endpoint({
  method: 'DELETE',
  path: '/api/offers/:offerId',
  summary: 'Delete an offer',
  access: 'pharmacy',
  feature: 'offers',
  audit: 'offer_removed',
  params: OfferId,
  response: z.object({}),
  errors: ['offers.not_found'],
})

/** Sets the order in which customers see the offers. An empty list restores the page's default order. */
export const arrangeOffers = endpoint({
  method: 'PUT',
  path: '/api/offers/order',
  summary: 'Reorder the offers',
  access: 'pharmacy',
  feature: 'offers',
  audit: 'offers_arranged',
  body: z.strictObject({ offerIds: z.array(z.uuid()).check(z.maxLength(MAX_OFFERS)) }),
  maxBodyBytes: 64 * 1024,
  response: z.object({}),
  errors: ['offers.not_found'],
})

/**
 * `prior`: as of an `OfferRecord`. `raisedFrom`: the last list price of the product, if the new one is far above it.
 * `otherPrice`: the price of another active offer of the same product, if it is a different one.
 */
export const PriceCheck = z.object({
  prior: z.nullable(PriorPrice),
  raisedFrom: z.nullable(PriceCents),
  otherPrice: z.nullable(PriceCents),
})
export type PriceCheck = z.infer<typeof PriceCheck>

/** What the public would see with these prices, and what is unusual about them, before the offer is published. */
export const checkOfferPrice = endpoint({
  method: 'POST',
  path: '/api/offers/price-checks',
  summary: 'Get the lowest price in the 30 days before a reduction, and warnings',
  access: 'pharmacy',
  feature: 'offers',
  audit: { none: 'reads' },
  body: z.strictObject({
    /** The offer that is edited; null for a new one. */
    offerId: z.nullable(z.uuid()),
    fields: z.pick(OfferInput, {
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
  response: PriceCheck,
  errors: ['offers.price_above_list', 'offers.prior_above_list', 'offers.ends_too_early'],
})
