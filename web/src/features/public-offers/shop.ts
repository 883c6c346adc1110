import type { PublicPharmacy } from '@bancone/contract/public-offers'
import type { OrderList } from './order-list.ts'
import type { PageNavigation } from './use-page-location.ts'

/** Reports what a customer does on the page. */
export type PageTracker = {
  /** @returns a function that ends the view */
  view(): () => void
  /** A ref of the element with the offer's id in `data-offer`. */
  watch(element: Element | null): () => void
  opened(offerId: string): void
  /** A code for the text of an order; null for a customer who is not counted. */
  orderCode(): string | null
  whatsApp(offerIds: readonly string[], code: string | null): void
  call(): void
}

/** Where nothing is counted. */
export const noTracker: PageTracker = {
  view: () => () => undefined,
  watch: () => () => undefined,
  opened: () => undefined,
  orderCode: () => null,
  whatsApp: () => undefined,
  call: () => undefined,
}

/** Context of all parts of a pharmacy's page. */
export type Shop = {
  pharmacy: PublicPharmacy
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  navigation: PageNavigation
  list: OrderList
  tracker: PageTracker
}
