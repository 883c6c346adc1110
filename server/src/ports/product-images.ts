/** The provider of product pictures, by product code (9 digits). */
export type ProductImages = {
  /** The URL of the picture, whether or not it exists; null when no provider is configured. */
  url(minsan: string): string | null
  /**
   * Downloads the picture. `none`: the provider has no picture of the product. `unusable`: the response is too large, or
   * its URL is not allowed. @throws transient errors
   */
  download(minsan: string, signal?: AbortSignal): Promise<Uint8Array | 'none' | 'unusable'>
  /** Whether a HEAD request succeeds. Never throws: a failure counts as missing. */
  exists(minsan: string, signal?: AbortSignal): Promise<boolean>
}
