import {
  arrangeOffers,
  changeOffer,
  checkOfferPrice,
  createOffer,
  listOffers,
  removeOffer,
} from '@bancone/contract/offers'
import {
  createBuiltCountingPages,
  createBuiltPages,
  createBuiltPriorityPages,
  createBuiltPrivacyPages,
} from '../adapters/built-pages/built-pages.ts'
import { isProductImageAddress } from '../adapters/product-images/product-images.ts'
import type { Database } from '../database/database.ts'
import { lockPharmacy } from '../database/row-limit.ts'
import { createImagesStore } from '../features/images/images.store.ts'
import type { ServedImages } from '../features/images/served-images.ts'
import { enqueueCustomerArrival } from '../features/notifications/push-arrivals.store.ts'
import {
  createOffers,
  type OfferWriting,
  type PictureUses,
} from '../features/offers/offers.service.ts'
import { createOffersStore } from '../features/offers/offers.store.ts'
import { createPriceHistory } from '../features/offers/prices/price-history.ts'
import {
  createPublishedOffers,
  type PublishedOffers,
} from '../features/offers/published-offers.store.ts'
import type { PharmaciesStore } from '../features/pharmacies/pharmacies.store.ts'
import type { PharmacyProfiles } from '../features/pharmacy-profile/pharmacy-profile.service.ts'
import { wirePriorityCustomer } from '../features/priority/customer/customer.wiring.ts'
import type { ProductCategoriesStore } from '../features/product-categories/product-categories.store.ts'
import { wireProductCategories } from '../features/product-categories/product-categories.wiring.ts'
import { wirePublicOffers } from '../features/public-offers/public-offers.wiring.ts'
import { wireVisits } from '../features/visits/visits.wiring.ts'
import type { AppModule } from '../http/app-module.ts'
import type { Sessions } from '../http/session.ts'
import { createAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import type { Events } from '../platform/events.ts'
import { phoneNumbers } from '../platform/phone-numbers.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import type {
  CountingPageRenderer,
  PageRenderer,
  PriorityPageRenderer,
  PrivacyPageRenderer,
} from '../ports/page-renderer.ts'
import type { CardRenderer } from '../ports/share-card.ts'
import { originsOf } from './products.ts'

type OffersDependencies = Context & {
  categories: ProductCategoriesStore
  /** The URL template of product pictures; see `ProductSettings`. */
  productImageUrl: string | undefined
}

/** Wires the offers and their public view. */
function wireOffers({ db, categories, productImageUrl, clock }: OffersDependencies): AppModule & {
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
  const publishedOffers = createPublishedOffers(db, prices)
  return {
    publishedOffers,
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
    pictures: pictureUses(tx),
    prices: createPriceHistory(tx),
    audit,
    recordChange: (change) => audit.recordChange(tx, change),
  }
}

export function pictureUses(tx: Database): PictureUses {
  const images = createImagesStore(tx)
  return {
    release: images.release,
    async hold(pharmacyId, publicId, holder) {
      const isHeld = await images.hold(pharmacyId, publicId, holder)
      return isHeld ? images.url(publicId) : undefined
    },
  }
}

/** They replace the renderers of the build, in tests. */
export type PageRenderers = {
  renderer?: PageRenderer | undefined
  priorityRenderer?: PriorityPageRenderer | undefined
  countingRenderer?: CountingPageRenderer | undefined
  privacyRenderer?: PrivacyPageRenderer | undefined
}

type CustomerPagesSettings = PageRenderers & {
  publicUrl: string
  /** The folder of the build; without one there are no public pages. */
  builtFolder?: string | undefined
  products?: { productImageUrl?: string | undefined }
  outboundAllow?: readonly string[]
}

type Dependencies = Context & {
  events: Events
  pharmacies: Pick<PharmaciesStore, 'publicByCode'>
  profiles: Pick<PharmacyProfiles, 'publicPart'>
  sessions: Pick<Sessions, 'authenticate'>
  servedImages: Pick<ServedImages, 'find'>
  cards: CardRenderer
  temporaryFiles: TemporaryFiles
  /** Days for which visits are kept. */
  visitDays(): Promise<number>
  settings: CustomerPagesSettings
}

/** Wires the offers, and all that customers see. */
export function wireCustomerPages(dependencies: Dependencies) {
  const { db, events, pharmacies, profiles, servedImages, settings, clock, log, ...rest } =
    dependencies
  const productImageUrl = settings.products?.productImageUrl
  const categories = wireProductCategories(db)
  const offers = wireOffers({ ...dependencies, categories: categories.store, productImageUrl })
  const visits = wireVisits({
    ...dependencies,
    pharmacy: pharmacies.publicByCode,
    renderer: rendererOf(settings.countingRenderer, settings, createBuiltCountingPages),
    publicUrl: settings.publicUrl,
    retentionDays: rest.visitDays,
  })
  const publicOffers = wirePublicOffers({
    db,
    events,
    pharmacy: pharmacies.publicByCode,
    published: offers.publishedOffers.onDay,
    profile: profiles.publicPart,
    categories: async () => (await categories.store.list()).map(({ name }) => name),
    counting: visits.countingOf,
    onRequested: visits.pageRequested,
    renderer: rendererOf(settings.renderer, settings, createBuiltPages),
    storedPicture: async (picture) => {
      const wanted = { ...picture, variant: 'original' }
      return (await servedImages.find(wanted, 'webp'))?.content
    },
    cards: rest.cards,
    temporaryFiles: rest.temporaryFiles,
    pictureOrigins: [...(settings.outboundAllow ?? []), ...originsOf(productImageUrl)],
    publicUrl: settings.publicUrl,
    clock,
    log,
  })
  const priorityCustomer = wirePriorityCustomer({
    ...dependencies,
    pharmacy: pharmacies.publicByCode,
    profile: profiles.publicPart,
    callNumber: async (phone) => (await phoneNumbers(phone)).callNumber,
    renderer: rendererOf(settings.priorityRenderer, settings, createBuiltPriorityPages),
    onArrived: enqueueCustomerArrival,
  })
  const modules: AppModule[] = [categories, offers, publicOffers, visits, priorityCustomer]
  const renderer = rendererOf(settings.privacyRenderer, settings, createBuiltPrivacyPages)
  return {
    modules,
    /** What the page of the privacy policy needs; undefined when no pages are built. */
    privacyPage: renderer && { pharmacy: pharmacies.publicByCode, renderer },
    fold: visits.fold,
    shownOffers: async (code: string) => (await publicOffers.content(code)).offers.length,
  }
}

/** The given renderer, or that of the build, if there is one. */
function rendererOf<R>(
  given: R | undefined,
  { builtFolder }: CustomerPagesSettings,
  create: (folder: string) => R | undefined,
): R | undefined {
  return given ?? (builtFolder === undefined ? undefined : create(builtFolder))
}
