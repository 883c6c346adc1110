import { writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type { RenderedPicture } from '../../ports/picture-renderer.ts'

const SVG = ['VipsForeignLoadSvgBuffer']

/** Renders an SVG document of our own. The decoder is enabled only for it: uploaded files must never be decoded as SVG. */
export async function withSvg<T>(svg: string, render: (drawing: Sharp) => Promise<T>): Promise<T> {
  sharp.unblock({ operation: SVG })
  try {
    return await render(sharp(Buffer.from(svg)))
  } finally {
    sharp.block({ operation: SVG })
  }
}

/** Renders an SVG document as PNG. */
export async function renderDrawing(svg: string, to: string): Promise<RenderedPicture> {
  const { data, info } = await withSvg(svg, (drawing) =>
    drawing.png({ palette: true }).toBuffer({ resolveWithObject: true }),
  )
  await writeFile(to, data, { mode: 0o600 })
  return { width: info.width, height: info.height, bytes: data.byteLength }
}
