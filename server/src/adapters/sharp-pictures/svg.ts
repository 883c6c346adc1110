import sharp, { type Sharp } from 'sharp'

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
