import type { Day } from '@bancone/contract/dates'
import { SupplyClass } from '@bancone/contract/medicines'
import { isMedicineOffer, offerRefusal } from '@bancone/contract/offer-rules'
import type { OfferFields, OfferRecord } from '@bancone/contract/offers'
import { RegulatoryClass } from '@bancone/contract/product-categories'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'

/** An offer as stored, without its computed prior price. */
export type StoredOffer = Omit<OfferRecord, 'prior'>

type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>['executeTakeFirstOrThrow']>>

/** The rows of `storedOffer`. */
export function selectOffers(db: Database) {
  return db
    .selectFrom('product_offers as offer')
    .innerJoin('product_categories as category', 'category.name', 'offer.category')
    .leftJoin('medicines as medicine', 'medicine.code', 'offer.minsan')
    .selectAll('offer')
    .select(['category.regulatory_class', 'medicine.supply', 'medicine.is_authorised'])
}

export function storedOffer(row: OfferRow): StoredOffer {
  const fields: OfferFields = {
    Nome_Prodotto: row.product_name,
    Descrizione: row.description,
    Categoria: row.category,
    Codice_Minsan: row.minsan,
    Prezzo_Listino: row.list_price,
    Prezzo_Offerta: row.offer_price,
    Prezzo_Precedente: row.prior_price,
    Data_Inizio: row.start_date,
    ...(row.end_date !== null && { Data_Fine: row.end_date }),
    Stato_Offerta: row.is_active ? 'Attiva' : 'Inattiva',
    URL_Immagine: row.image_url,
    CloudinaryID: row.cloudinary_id,
    Farmacia_ID: row.pharmacy_code,
  }
  const regulatoryClass = RegulatoryClass.parse(row.regulatory_class)
  return {
    id: row.id,
    createdTime: row.created_at,
    updatedTime: row.updated_at,
    fields,
    medicine: isMedicineOffer(row.minsan, regulatoryClass),
    refusal: offerRefusal(row.minsan, regulatoryClass, registered(row)),
    position: row.position,
  }
}

function registered({ supply, is_authorised: authorised }: OfferRow) {
  return authorised === null ? null : { supply: z.nullable(SupplyClass).parse(supply), authorised }
}

/** SQL condition: the offer has no end date, or it has not passed. */
export function isNotOver(today: Day) {
  return sql<boolean>`coalesce(offer.end_date >= ${today}, true)`
}
