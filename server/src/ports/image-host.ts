import type { Readable } from 'node:stream'
import type { ImageVariant } from '@bancone/contract/image-variants'

/** A picture of ours, drawn anew, that is to be kept: a file of this machine. */
export type PictureFile = { path: string; width: number; height: number; bytes: number }

/** Every picture is kept as one. */
export const HOSTED_FORMAT = 'webp'

export type HostedImage = {
  url: string
  width: number
  height: number
  format: string
  /** The key of the file it is kept as, for its row to refer to; null where the host is a service. */
  fileKey: string | null
}

/** What browsers are sent, the first that they take. */
export type ServedFormat = 'avif' | 'webp' | 'jpeg'

/** The host failed: it may pass, unless it refuses what it was given. */
export class ImageHostError extends Error {
  override readonly name = 'ImageHostError'
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: 'unavailable' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * Where the pictures are kept that customers see, and what makes them as large as a screen wants. A public id
 * is `{owner}_{milliseconds}`, of lower-case letters, digits, hyphens and one underscore.
 *
 * @throws ImageHostError
 */
export type ImageHost = {
  /**
   * Keeps a picture. Its address is the host's own, or a path of ours, `/images/{publicId}/{version}`; the
   * addresses of its variants are made from it (`variantUrl` of the contract).
   */
  put(publicId: string, picture: PictureFile, signal?: AbortSignal): Promise<HostedImage>
  /**
   * A picture in one of its variants, made when it is asked for first; undefined when there is none.
   * @throws PictureMakerError, too, when it cannot be made now
   */
  open(
    publicId: string,
    variant: ImageVariant,
    format: ServedFormat,
  ): Promise<{ bytes: number; contentType: string; stream: Readable } | undefined>
  /** And all its variants. What is not there is removed already. */
  remove(publicId: string): Promise<void>
}
