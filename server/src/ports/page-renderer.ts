import type { PublicPage } from '@bancone/contract/public-offers'

/** Renders the public pages on the server, with the components that the browser hydrates. */
export type PageRenderer = {
  /**
   * @returns a whole HTML document
   * @throws when the bundle cannot be loaded or rendering fails; never because of the request
   */
  render(page: PublicPage): Promise<string>
}
