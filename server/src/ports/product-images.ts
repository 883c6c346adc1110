/** What the provider of product pictures says of a code. */
export type ProductImages = {
  /** The address of the picture of that code (9 digits), whether there is one or not; null: not configured. */
  url(minsan: string): string | null
  /**
   * The picture itself, or why not: the provider has none; what it has is no picture to be taken (too large,
   * or of an address we do not go to). @throws what may pass
   */
  download(minsan: string, signal?: AbortSignal): Promise<Uint8Array | 'none' | 'unusable'>
  /** Whether the address answers to HEAD. Never throws: what fails is not there. */
  exists(minsan: string, signal?: AbortSignal): Promise<boolean>
}
