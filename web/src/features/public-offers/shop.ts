import type { PublicPharmacy } from '@bancone/contract/public-offers'
import type { OrderList } from './use-order-list.ts'
import type { PageNavigation } from './use-page-location.ts'

/** Reports what a customer does on the page. */
export type OfferVisits = {
  /** @returns a function that ends the view */
  view(): () => void
  opened(offerId: string): void
  whatsApp(offerIds: readonly string[]): void
  call(): void
}

/** Context of all parts of a pharmacy's page. */
export type Shop = {
  pharmacy: PublicPharmacy
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  navigation: PageNavigation
  list: OrderList
  visits: OfferVisits
}
