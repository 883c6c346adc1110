import type { Readable } from 'node:stream'

/**
 * Where the files of pictures are kept. A key is two names or more with slashes between them, each of
 * lower-case letters, digits and hyphens. What fails may pass later.
 */
export type ImageHost = {
  /** Keeps it whole or not at all, in the place of what had that key. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>
  /** @returns undefined when nothing has that key */
  open(key: string): Promise<{ bytes: number; stream: Readable } | undefined>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
}
