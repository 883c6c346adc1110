/** The formats that pictures are written in. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg' | 'png'

/**
 * Why no picture was made of a file.
 * - `not_a_picture`: not one of the formats that are taken, whatever its name or type says
 * - `too_wide`: more pixels than a picture may have
 * - `unreadable`: one of them by its beginning, but broken, or it took too long to read
 */
export type PictureReason = 'not_a_picture' | 'too_wide' | 'unreadable'

/** What a picture that was made is like. */
export type MadePicture = { width: number; height: number; bytes: number }

/**
 * How it is drawn. With one of `width` and `height` the other follows; with both, `fit` says how:
 * `inside` them, `cover` (cut), `contain` (on white, so that it is exactly that large) or `fill` (stretched).
 * Nothing is made larger than it is, except to be exactly as large as `contain`, `cover` and `fill` want.
 */
export type Drawing = {
  width?: number
  height?: number
  fit?: 'inside' | 'cover' | 'contain' | 'fill'
  format: PictureFormat
  /** 1 to 100. */
  quality: number
}

/** Nothing is said of the picture: too many wait, it took too long, or nothing could be read or written. It may pass. */
export class PictureMakerError extends Error {
  override readonly name = 'PictureMakerError'
}

/** Who waits for it: somebody who looks, somebody who has sent it, or nobody. */
export type Urgency = 'looking' | 'sending' | 'background'

/**
 * Reads and draws pictures, from file to file: what may be hostile is never in the memory of the server,
 * nor in its process. What comes out is upright and has no metadata.
 */
export type PictureMaker = {
  /**
   * Reads what came from outside, by its content, and writes it anew to `to`, which is the caller's to
   * remove, whatever came of it.
   * @throws PictureMakerError; and the reason of `signal`
   */
  make(
    from: string,
    to: string,
    drawing: Drawing,
    options: { urgency: Urgency; signal?: AbortSignal | undefined },
  ): Promise<MadePicture | PictureReason>
  close(): Promise<void>
}
