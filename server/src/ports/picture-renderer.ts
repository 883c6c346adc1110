/** The output formats. */
export type PictureFormat = 'avif' | 'webp' | 'jpeg' | 'png'

/**
 * Why a file was rejected.
 * - `not_a_picture`: the content has none of the accepted formats, whatever its name or type
 * - `too_wide`: the picture has too many pixels
 * - `unreadable`: the picture is damaged, or decoding took too long
 */
export type PictureRejection = 'not_a_picture' | 'too_wide' | 'unreadable'

/** The size of a rendered picture, in pixels and bytes. */
export type RenderedPicture = { width: number; height: number; bytes: number }

/**
 * The size, format and quality of a rendered picture. With only one of `width` and `height` the aspect ratio is kept.
 * With both, `fit` decides: `inside` keeps the aspect ratio, `cover` crops, `contain` pads with white, `fill` stretches.
 * `inside` never enlarges a picture; the other three give exactly the requested size.
 */
export type Rendition = {
  width?: number
  height?: number
  fit?: 'inside' | 'cover' | 'contain' | 'fill'
  format: PictureFormat
  /** 1 to 100. */
  quality: number
}

/**
 * Rendering failed for a reason other than the picture: the queue is full, the wait was too long, or a file could not
 * be read or written. May be transient.
 */
export class PictureRendererError extends Error {
  override readonly name = 'PictureRendererError'
}

/** `high`: a viewer waits for the picture; `normal`: the sender waits; `background`: no user waits. */
export type RenderPriority = 'high' | 'normal' | 'background'

/**
 * Decodes and renders pictures from file to file, in another process, so that hostile input never enters the server's
 * memory. The output is upright and has no metadata.
 */
export type PictureRenderer = {
  /**
   * Decodes the file `from` by its content and writes the rendition to `to`. The caller removes `to` in any case.
   * @returns the size of the rendered picture, or why the file was rejected
   * @throws PictureRendererError; the reason of `signal` when it is aborted
   */
  render(
    from: string,
    to: string,
    rendition: Rendition,
    options: { priority: RenderPriority; signal?: AbortSignal | undefined },
  ): Promise<RenderedPicture | PictureRejection>
  close(): Promise<void>
}

/** Renders drawings that this program made itself, under the same conditions as `PictureRenderer`. */
export type DrawingRenderer = {
  /**
   * Renders an SVG document to the file `to` as PNG. The caller removes the file in any case.
   *
   * @param svg never a file or a text of a user; without texts, because there may be no fonts
   * @returns `unreadable` when it could not be rendered
   * @throws PictureRendererError; the reason of `signal` when it is aborted
   */
  renderDrawing(
    svg: string,
    to: string,
    options: { priority: RenderPriority; signal?: AbortSignal | undefined },
  ): Promise<RenderedPicture | 'unreadable'>
}
