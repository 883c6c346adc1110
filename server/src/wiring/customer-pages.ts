import { createBuiltPages } from '../adapters/built-pages/built-pages.ts'
import type { ServedImages } from '../features/images/served-images.ts'
import { enqueueCustomerArrival } from '../features/notifications/push-devices.store.ts'
import { createPublishedOffers } from '../features/offers/offers.store.ts'
import { createPageViewsStore } from '../features/page-views/page-views.store.ts'
import { wirePageViews } from '../features/page-views/page-views.wiring.ts'
import type { PharmaciesStore } from '../features/pharmacies/pharmacies.store.ts'
import type { PharmacyProfiles } from '../features/pharmacy-profile/pharmacy-profile.service.ts'
import { wirePriorityCustomer } from '../features/priority/customer/customer.wiring.ts'
import type { ProductCategoriesStore } from '../features/product-categories/product-categories.store.ts'
import { wirePublicOffers } from '../features/public-offers/public-offers.wiring.ts'
import type { AppModule } from '../http/app-module.ts'
import type { Context } from '../platform/context.ts'
import type { Events } from '../platform/events.ts'
import { phoneNumbers } from '../platform/phone-numbers.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import type { PageRenderers } from '../ports/page-renderer.ts'
import type { CardRenderer } from '../ports/share-card.ts'
import { originsOf } from './products.ts'

export type CustomerPagesSettings = {
  /** They replace those of the build, in tests. */
  renderers?: Partial<PageRenderers>
  publicUrl: string
  /** The folder of the build; without one there are no public pages. */
  builtFolder?: string | undefined
  products?: { productImageUrl?: string | undefined }
  outboundAllow?: readonly string[]
}

type Dependencies = Context & {
  events: Events
  categories: ProductCategoriesStore
  pharmacies: Pick<PharmaciesStore, 'publicByCode'>
  profiles: Pick<PharmacyProfiles, 'publicPart' | 'hasPrescriptionFields'>
  servedImages: Pick<ServedImages, 'find'>
  cards: CardRenderer
  temporaryFiles: TemporaryFiles
  /** Days for which page views are kept. */
  pageViewDays(): Promise<number>
  settings: CustomerPagesSettings
}

/** Wires all that customers see. */
export function wireCustomerPages(dependencies: Dependencies) {
  const { db, categories, pharmacies, profiles, servedImages, settings, pageViewDays } =
    dependencies
  const productImageUrl = settings.products?.productImageUrl
  const built = settings.builtFolder === undefined ? {} : createBuiltPages(settings.builtFolder)
  const renderers: Partial<PageRenderers> = { ...built, ...settings.renderers }
  const publicOffers = wirePublicOffers({
    ...dependencies,
    pharmacy: pharmacies.publicByCode,
    published: createPublishedOffers(db).onDay,
    profile: profiles.publicPart,
    hasPrescriptionFields: profiles.hasPrescriptionFields,
    categories: async () => (await categories.list()).map(({ name }) => name),
    // Each needs the other: the counting asks for the pharmacy of a code, the pages report what they have sent.
    counting: createPageViewsStore(db).countingOf,
    onRequested: (pharmacy, headers) => pageViews.pageRequested(pharmacy, headers),
    renderer: renderers.offers,
    storedPicture: async (picture) => {
      const wanted = { ...picture, variant: 'original' }
      return (await servedImages.find(wanted, 'webp'))?.content
    },
    pictureOrigins: [...(settings.outboundAllow ?? []), ...originsOf(productImageUrl)],
    publicUrl: settings.publicUrl,
  })
  const pageViews = wirePageViews({
    ...dependencies,
    pharmacyOfPage: publicOffers.pharmacyOfPage,
    pharmacy: pharmacies.publicByCode,
    renderer: renderers.counting,
    publicUrl: settings.publicUrl,
    retentionDays: pageViewDays,
  })
  const priorityCustomer = wirePriorityCustomer({
    ...dependencies,
    pharmacy: pharmacies.publicByCode,
    profile: profiles.publicPart,
    callNumber: async (phone) => (await phoneNumbers(phone)).callNumber,
    renderer: renderers.priority,
    onArrived: enqueueCustomerArrival,
  })
  const modules: AppModule[] = [publicOffers, pageViews, priorityCustomer]
  return {
    modules,
    /** What the page of the privacy policy needs; undefined when no pages are built. */
    privacyPage: renderers.privacy && {
      pharmacy: pharmacies.publicByCode,
      renderer: renderers.privacy,
    },
    fold: pageViews.fold,
    shownOffers: async (code: string) => (await publicOffers.content(code)).offers.length,
  }
}
