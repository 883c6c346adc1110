import type { Readable } from 'node:stream'
import type { ImageVariant } from '@bancone/contract/image-variants'
import { KindError } from './kind-error.ts'

/** A re-encoded picture to be stored: a local file, with its size in pixels and bytes. */
export type PictureFile = { path: string; width: number; height: number; bytes: number }

/** The format in which every picture is stored. */
export const HOSTED_FORMAT = 'webp'

export type HostedImage = {
  url: string
  width: number
  height: number
  format: string
  /** The key of the stored file, for the database row that refers to it; null if the host is an external service. */
  fileKey: string | null
}

/** The formats served to browsers, in order of preference. */
export type ServedFormat = 'avif' | 'webp' | 'jpeg'

/** The image host failed. `unavailable` may be transient, `refused` is final. */
export class ImageHostError extends KindError<'unavailable' | 'refused'> {
  override readonly name = 'ImageHostError'
}

/**
 * Stores the pictures that customers see and renders them in the sizes that screens need. A public id is
 * `{owner}_{milliseconds}`, of lower-case letters, digits, hyphens and one underscore.
 *
 * @throws ImageHostError
 */
export type ImageHost = {
  /**
   * Stores a picture. Its URL is one of the external host, or a path of this server, `/images/{publicId}/{version}`.
   * `variantUrl` in the contract derives the URLs of the variants from it.
   */
  put(publicId: string, picture: PictureFile, signal?: AbortSignal): Promise<HostedImage>
  /**
   * Opens a variant of a picture, which is rendered on the first request; undefined when there is no such picture.
   * @throws PictureRendererError, too, when it cannot be rendered now
   */
  open(
    publicId: string,
    variant: ImageVariant,
    format: ServedFormat,
  ): Promise<{ bytes: number; contentType: string; stream: Readable } | undefined>
  /** Removes a picture and all its variants. A missing picture is not an error. */
  remove(publicId: string): Promise<void>
}
