import type { PublicPage } from '@bancone/contract/public-offers'

/** Draws public pages with the components that the browser goes on with. */
export type PageRenderer = {
  /** @returns a whole HTML document */
  render(page: PublicPage): Promise<string>
}
