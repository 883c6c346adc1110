import type { Day } from '@bancone/contract/dates'
import type { checkOfferPrice, OfferFields } from '@bancone/contract/offers'
import type { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { otherPrice, priorPrice, raisedFrom } from './price-history.rules.ts'
import { createPriceTermsStore } from './price-terms.store.ts'

/** The fields of an offer that its prior price depends on; an `OfferRecord` has them. */
export type PricedOffer = {
  id: string
  fields: Pick<
    OfferFields,
    'Prezzo_Listino' | 'Prezzo_Offerta' | 'Prezzo_Precedente' | 'Data_Inizio'
  >
}

/** A draft that is checked before it is stored. */
export type PriceDraft = z.output<(typeof checkOfferPrice)['body']>

export type PriceHistory = ReturnType<typeof createPriceHistory>

/** @param db the transaction, when the offers were written in it */
export function createPriceHistory(db: Database) {
  const terms = createPriceTermsStore(db)

  return {
    /**
     * Prior prices: the lowest price in the 30 days before each reduction began. For an offer that is not published
     * it is the price that would apply if it were; null when the offer is no reduction.
     */
    async priors(pharmacyId: string, offers: readonly PricedOffer[], today: Day) {
      // Only reductions have a prior price.
      const ids = offers.filter(isReduction).map(({ id }) => id)
      const known = ids.length > 0 ? await terms.ofOffers(pharmacyId, ids) : () => []
      return new Map(
        offers.map(({ id, fields }) => [
          id,
          priorPrice(known(id), reduction(id, fields, today), today),
        ]),
      )
    },

    /** As `priors`, for an offer as it would be stored now, and what is unusual about its prices. */
    async check(pharmacyId: string, { offerId, fields }: PriceDraft, today: Day) {
      const known = await terms.ofDraft(pharmacyId, offerId, fields)
      const { Prezzo_Listino: listPrice, Prezzo_Offerta: offerPrice } = fields
      return {
        prior: priorPrice(known, reduction(offerId, fields, today), today),
        raisedFrom: raisedFrom(known, { offerId, listPrice }),
        otherPrice: otherPrice(known, { offerId, offerPrice }, today),
      }
    },

    /** The last list price of the product, if the one that is about to be stored is far above it. */
    async raisedFrom(
      pharmacyId: string,
      offerId: string,
      fields: Pick<OfferFields, 'Prezzo_Listino' | 'Codice_Minsan' | 'Nome_Prodotto'>,
    ): Promise<number | null> {
      const known = await terms.ofDraft(pharmacyId, offerId, fields)
      return raisedFrom(known, { offerId, listPrice: fields.Prezzo_Listino })
    },
  }
}

type PricedFields = Omit<PricedOffer['fields'], 'Data_Inizio'> & { Data_Inizio?: Day | undefined }

function isReduction({ fields }: PricedOffer): boolean {
  return fields.Prezzo_Offerta < fields.Prezzo_Listino
}

function reduction(offerId: string | null, fields: PricedFields, today: Day) {
  return {
    offerId,
    listPrice: fields.Prezzo_Listino,
    offerPrice: fields.Prezzo_Offerta,
    declared: fields.Prezzo_Precedente,
    startDate: fields.Data_Inizio ?? today,
  }
}
