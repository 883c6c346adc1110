import type { RenderedPicture, RenderPriority } from './picture-renderer.ts'

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
