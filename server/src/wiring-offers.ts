import { isProductImageAddress } from './adapters/product-images/product-images.ts'
import type { AppModule } from './app-module.ts'
import type { Database } from './database/database.ts'
import { lockPharmacy } from './database/row-limit.ts'
import { createImagesStore } from './features/images/images.store.ts'
import { offerRoutes } from './features/offers/offers.routes.ts'
import {
  createOffers,
  type OfferWriting,
  type PictureUses,
} from './features/offers/offers.service.ts'
import { createOffersStore } from './features/offers/offers.store.ts'
import { createPriceHistory } from './features/offers/prices/price-history.ts'
import {
  createPublishedOffers,
  type PublishedOffers,
} from './features/offers/published-offers.service.ts'
import { createPublishedOffersStore } from './features/offers/published-offers.store.ts'
import type { ProductCategoriesStore } from './features/product-categories/product-categories.store.ts'
import { createAudit } from './platform/audit.ts'
import type { Clock } from './ports/clock.ts'

type Dependencies = {
  db: Database
  categories: ProductCategoriesStore
  /** The URL template of product pictures; see `ProductSettings`. */
  productImageUrl: string | undefined
  clock: Clock
}

/** Wires the offers and their public view. */
export function wireOffers({ db, categories, productImageUrl, clock }: Dependencies): AppModule & {
  publishedOffers: PublishedOffers
} {
  const prices = createPriceHistory(db)
  const offers = createOffers({
    store: createOffersStore(db),
    write: (pharmacyId, work) =>
      db.transaction().execute(async (tx) => {
        // Serialised, so that concurrent changes cannot exceed the limit.
        await lockPharmacy(tx, pharmacyId)
        return work(writingIn(tx))
      }),
    prices,
    categories: categories.list,
    isProviderPicture: (url) => isProductImageAddress(productImageUrl, url),
    clock,
  })
  const publishedOffers = createPublishedOffers({ store: createPublishedOffersStore(db), prices })
  return { publishedOffers, routes: ({ serve }) => offerRoutes(serve, offers) }
}

function writingIn(tx: Database): OfferWriting {
  const audit = createAudit(tx)
  return {
    offers: createOffersStore(tx),
    pictures: pictureUses(tx),
    prices: createPriceHistory(tx),
    audit,
    recordChange: (change) => audit.recordChange(tx, change),
  }
}

function pictureUses(tx: Database): PictureUses {
  const images = createImagesStore(tx)
  return {
    release: images.release,
    async hold(pharmacyId, publicId, holder) {
      const isHeld = await images.hold(pharmacyId, publicId, holder)
      return isHeld ? images.url(publicId) : undefined
    },
  }
}
