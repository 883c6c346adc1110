import type { PublicPage } from '@bancone/contract/public-offers'

/** Draws public pages with the components that the browser goes on with. */
export type PageRenderer = {
  /**
   * @returns a whole HTML document
   * @throws when what draws cannot be loaded or fails: nothing that the asker could mend
   */
  render(page: PublicPage): Promise<string>
}
