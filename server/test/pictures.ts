import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A generated picture of that size, to be encoded as the test needs. */
export function drawn(width = 60, height = 40): Sharp {
  const raw = Buffer.alloc(width * height * 3, Buffer.from([200, 40, 90, 20, 180, 60, 5]))
  return sharp(raw, { raw: { width, height, channels: 3 } })
}

export const anImage = () => drawn().jpeg().toBuffer()

/** An animation of two frames. */
export async function moving(): Promise<Sharp> {
  const moments = [drawn(), drawn().negate()].map((one) => one.png().toBuffer())
  return sharp(await Promise.all(moments), { join: { animated: true } })
}

/** A PNG of one colour with a tiny file and enormous dimensions. */
export function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Grey with one bit per pixel: a row is its filter byte and the bits.
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG chunk, with its checksum. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.byteLength)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}
