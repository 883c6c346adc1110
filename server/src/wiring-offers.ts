import { isProductImageAddress } from './adapters/product-images/product-image-address.ts'
import type { Database } from './database/database.ts'
import { lockPharmacy } from './database/pharmacy-lock.ts'
import { createImagesStore } from './features/images/images.store.ts'
import {
  createOffers,
  type OfferWriting,
  type PictureUses,
} from './features/offers/offers.service.ts'
import { createOffersStore } from './features/offers/offers.store.ts'
import { createPriceHistory } from './features/offers/prices/price-history.ts'
import { createShownOffers } from './features/offers/shown-offers.service.ts'
import { createShownOffersStore } from './features/offers/shown-offers.store.ts'
import { createProductCategoriesStore } from './features/product-categories/product-categories.store.ts'
import type { Clock } from './ports/clock.ts'

type Dependencies = {
  db: Database
  /** Where pictures of products are; see the settings of products. */
  productImageUrl: string | undefined
  clock: Clock
}

/** Puts together what pharmacies offer, and what of it everybody is shown. */
export function wireOffers({ db, productImageUrl, clock }: Dependencies) {
  const categories = createProductCategoriesStore(db)
  const prices = createPriceHistory(db)
  const offers = createOffers({
    store: createOffersStore(db),
    write: (pharmacyId, work) =>
      db.transaction().execute(async (tx) => {
        // One after the other, or together they would be more than there may be.
        await lockPharmacy(tx, pharmacyId)
        return work(writingIn(tx))
      }),
    prices,
    categories: categories.list,
    isProviderPicture: (url) => isProductImageAddress(productImageUrl, url),
    clock,
  })
  const shownOffers = createShownOffers({ store: createShownOffersStore(db), prices })
  return { services: { categories, offers }, shownOffers }
}

function writingIn(tx: Database): OfferWriting {
  return {
    offers: createOffersStore(tx),
    pictures: pictureUses(tx),
    prices: createPriceHistory(tx),
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
