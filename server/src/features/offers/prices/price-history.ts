import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import type { checkOfferPrice, OfferFields } from '@bancone/contract/offers'
import type { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { priorPrice } from './price-history.rules.ts'
import { createPriceTermsStore } from './price-terms.store.ts'

/** What of an offer the lowest price before it depends on: an `OfferRecord` is one. */
export type PricedOffer = {
  id: string
  fields: Pick<
    OfferFields,
    'Prezzo_Listino' | 'Prezzo_Offerta' | 'Prezzo_Precedente' | 'Data_Inizio'
  >
}

/** What is asked before it is written. */
export type PriceDraft = z.output<(typeof checkOfferPrice)['body']>

export type PriceHistory = ReturnType<typeof createPriceHistory>

/** @param db the transaction, when it has written offers that are asked for */
export function createPriceHistory(db: Database) {
  const terms = createPriceTermsStore(db)

  return {
    /**
     * The lowest price of the 30 days before each reduction began. Of an offer that is not shown today it is what
     * there would be if it were switched on; null of one that is no reduction.
     */
    async priors(
      pharmacyId: string,
      offers: readonly PricedOffer[],
      today: Day,
    ): Promise<Map<string, PriorPrice | null>> {
      // Where nothing is lower than its list price there is nothing to look up.
      const ids = offers.filter(isReduction).map(({ id }) => id)
      const known = ids.length > 0 ? await terms.ofOffers(pharmacyId, ids) : () => []
      return new Map(
        offers.map(({ id, fields }) => [
          id,
          priorPrice(known(id), reduction(id, fields, today), today),
        ]),
      )
    },

    /** As `priors`, of an offer as it would be written now. */
    async check(
      pharmacyId: string,
      { offerId, fields }: PriceDraft,
      today: Day,
    ): Promise<PriorPrice | null> {
      const known = await terms.ofDraft(pharmacyId, {
        offerId,
        minsan: fields.Codice_Minsan,
        name: fields.Nome_Prodotto,
      })
      return priorPrice(known, reduction(offerId, fields, today), today)
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
