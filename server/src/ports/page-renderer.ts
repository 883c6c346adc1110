import type { CountingPage } from '@bancone/contract/page-views'
import type { PriorityPage } from '@bancone/contract/priority-customer'
import type { PrivacyPage } from '@bancone/contract/privacy-texts'
import type { PublicPage } from '@bancone/contract/public-offers'

/** Renders pages on the server, with the components that the browser hydrates. */
export type PageRenderer<Page> = {
  /**
   * @returns a whole HTML document
   * @throws when the bundle cannot be loaded or rendering fails; never because of the request
   */
  render(page: Page): Promise<string>
}

/** Undefined: no such pages are built. */
export type PageRenderers = {
  offers: PageRenderer<PublicPage> | undefined
  /** What is counted of the views of a page. */
  counting: PageRenderer<CountingPage> | undefined
  /** The privacy policy. */
  privacy: PageRenderer<PrivacyPage> | undefined
  /** Priority access. */
  priority: PageRenderer<PriorityPage> | undefined
}
