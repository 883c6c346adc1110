import type { PublicPharmacy } from '@bancone/contract/public-offers'
import type { OrderList } from './use-order-list.ts'
import type { PlaceControl } from './use-place.ts'

/** What is told of what a customer does on the page. */
export type OfferVisits = {
  /** @returns ends that */
  view(): () => void
  opened(offerId: string): void
  whatsApp(offerIds: readonly string[]): void
  call(): void
}

/** What every part of a pharmacy's page works with. */
export type Shop = {
  pharmacy: PublicPharmacy
  /** Where the application is reached, without a slash at its end. */
  publicUrl: string
  place: PlaceControl
  list: OrderList
  visits: OfferVisits
}
