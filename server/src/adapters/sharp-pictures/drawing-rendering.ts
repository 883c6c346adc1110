import { writeFile } from 'node:fs/promises'
import type { RenderedPicture } from '../../ports/picture-renderer.ts'
import { withSvg } from './svg.ts'

/** Renders an SVG document as PNG. */
export async function renderDrawing(svg: string, to: string): Promise<RenderedPicture> {
  const { data, info } = await withSvg(svg, (drawing) =>
    drawing.png({ palette: true }).toBuffer({ resolveWithObject: true }),
  )
  await writeFile(to, data, { mode: 0o600 })
  return { width: info.width, height: info.height, bytes: data.byteLength }
}
