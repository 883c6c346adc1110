import {
  arrangeOffers,
  changeOffer,
  checkOfferPrice,
  createOffer,
  listOffers,
  removeOffer,
} from '@bancone/contract/offers'
import { isProductImageAddress } from '../adapters/product-images/product-images.ts'
import type { Database } from '../database/database.ts'
import { lockPharmacy } from '../database/row-limit.ts'
import { createImagesStore } from '../features/images/images.store.ts'
import { createOffers, type OfferWriting } from '../features/offers/offers.service.ts'
import { createOffersStore } from '../features/offers/offers.store.ts'
import { createPriceHistory } from '../features/offers/prices/price-history.ts'
import type { ProductCategoriesStore } from '../features/product-categories/product-categories.store.ts'
import type { AppModule } from '../http/app-module.ts'
import { createAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'

type Dependencies = Context & {
  categories: ProductCategoriesStore
  /** The URL template of product pictures; see `ProductSettings`. */
  productImageUrl: string | undefined
}

/** Wires the offers as the staff of a pharmacy manages them. */
export function wireOffers({ db, categories, productImageUrl, clock }: Dependencies): AppModule {
  const offers = createOffers({
    store: createOffersStore(db),
    write: (pharmacyId, work) =>
      db.transaction().execute(async (tx) => {
        // Serialised, so that concurrent changes cannot exceed the limit.
        await lockPharmacy(tx, pharmacyId)
        return work(writingIn(tx))
      }),
    prices: createPriceHistory(db),
    categories: categories.list,
    isProviderPicture: (url) => isProductImageAddress(productImageUrl, url),
    clock,
  })
  return {
    routes({ serve }) {
      serve(listOffers, (_input, { pharmacy }) => offers.list(pharmacy.id))

      serve(createOffer, ({ body }, session) => offers.create(session, body.fields, body.id))

      serve(changeOffer, ({ params, body }, session) =>
        offers.change(session, params.offerId, body.fields, body.seen),
      )

      serve(removeOffer, async ({ params }, { pharmacy }) => {
        await offers.remove(pharmacy.id, params.offerId)
        return {}
      })

      serve(arrangeOffers, async ({ body }, { pharmacy }) => {
        await offers.arrange(pharmacy.id, body.offerIds)
        return {}
      })

      serve(checkOfferPrice, ({ body }, { pharmacy }) => offers.checkPrice(pharmacy.id, body))
    },
  }
}

function writingIn(tx: Database): OfferWriting {
  const audit = createAudit(tx)
  return {
    offers: createOffersStore(tx),
    pictures: createImagesStore(tx),
    prices: createPriceHistory(tx),
    audit,
    recordChange: (change) => audit.recordChange(tx, change),
  }
}
