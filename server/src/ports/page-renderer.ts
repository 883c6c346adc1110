import type { PriorityPage } from '@bancone/contract/priority-customer'
import type { PrivacyPage } from '@bancone/contract/privacy-texts'
import type { PublicPage } from '@bancone/contract/public-offers'
import type { CountingPage } from '@bancone/contract/visits'

/** Renders pages on the server, with the components that the browser hydrates. */
type Renderer<Page> = {
  /**
   * @returns a whole HTML document
   * @throws when the bundle cannot be loaded or rendering fails; never because of the request
   */
  render(page: Page): Promise<string>
}

export type PageRenderer = Renderer<PublicPage>

/** For the page that says what is counted. */
export type CountingPageRenderer = Renderer<CountingPage>

/** For the page of the privacy policy. */
export type PrivacyPageRenderer = Renderer<PrivacyPage>

/** For the pages of priority access. */
export type PriorityPageRenderer = Renderer<PriorityPage>
