import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { anImage, drawn, moving, pngBomb, pngChunk } from '../pictures.ts'
import { type HostileFile, PAYLOAD, text, USUAL } from './hostile-file.ts'
import { changedAt, insertedAfter } from './picture-parts.ts'

const EMPTY = Buffer.alloc(0)
const PNG = text('\x89PNG\r\n\x1a\n')

function pngHeader(width: number, height: number, depth = 8, colour = 2, interlaced = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlaced], 8)
  return pngChunk('IHDR', header)
}

/** Decompression bombs, and headers that state enormous sizes. */
export async function bombs(): Promise<HostileFile[]> {
  const [jpeg, png, gif, webp, avif] = await Promise.all([
    anImage(),
    drawn().png().toBuffer(),
    drawn().gif().toBuffer(),
    moving().then((picture) => picture.webp({ loop: 0 }).toBuffer()),
    drawn().avif().toBuffer(),
  ])
  const beyond = Buffer.alloc(8)
  beyond.writeUInt32BE(60_000)
  beyond.writeUInt32BE(60_000, 4)
  const unpacksToMuch = deflateSync(Buffer.alloc(64 * 1024 * 1024, PAYLOAD))
  const head = text(`${PAYLOAD}\0\0`)
  return [
    { name: 'bomb.png', bytes: pngBomb(30_000, 30_000), outcome: 'too_wide' },
    { name: 'bomb-in-sum.png', bytes: pngBomb(4_001, 4_000), outcome: 'too_wide' },
    { name: 'bomb-of-a-side.png', bytes: pngBomb(12_001, 8), outcome: 'too_wide' },
    { name: 'bomb-of-depth.png', bytes: deepPng(), outcome: { width: 4_000, height: 4_000 } },
    {
      name: 'bomb-interlaced.png',
      bytes: Buffer.concat([
        PNG,
        pngHeader(60_000, 60_000, 1, 0, 1),
        pngChunk('IDAT', deflateSync(Buffer.alloc(1_000))),
        pngChunk('IEND', EMPTY),
      ]),
      outcome: 'too_wide',
    },
    { name: 'parts-without-end.png', bytes: inManyParts(png), outcome: USUAL },
    {
      name: 'text-bomb.png',
      bytes: insertedAfter(png, 33, pngChunk('zTXt', Buffer.concat([head, unpacksToMuch]))),
      outcome: USUAL,
    },
    {
      name: 'profile-bomb.png',
      bytes: insertedAfter(png, 33, pngChunk('iCCP', Buffer.concat([head, unpacksToMuch]))),
      outcome: USUAL,
    },
    {
      name: 'wide-by-its-word.png',
      bytes: Buffer.concat([PNG, pngHeader(0x7fffffff, 0x7fffffff), png.subarray(33)]),
      outcome: 'unreadable',
    },
    { name: 'wide-by-its-word.jpg', bytes: wideJpeg(jpeg, 65_500), outcome: 'too_wide' },
    {
      name: 'wide-by-its-word.gif',
      bytes: changedAt(
        changedAt(gif, 6, text('\xff\xff\xff\xff')),
        gif.indexOf(text('\x2c\0\0\0\0')) + 5,
        text('\xff\xff\xff\xff'),
      ),
      outcome: 'too_wide',
    },
    // Width and height have three bytes each, after the chunk's header and flags.
    {
      name: 'wide-by-its-word.webp',
      bytes: changedAt(webp, webp.indexOf('VP8X') + 12, text('\xfe\x3f\0\xfe\x3f\0')),
      outcome: 'too_wide',
    },
    {
      name: 'wide-by-its-word.avif',
      bytes: changedAt(avif, avif.indexOf('ispe') + 8, beyond),
      outcome: 'too_wide',
    },
    { name: 'moments-without-end.gif', bytes: await endlessGif(), outcome: USUAL },
    { name: 'passes-without-end.jpg', bytes: await endlessJpeg(), outcome: 'unreadable' },
  ]
}

/** The maximum number of pixels, of eight bytes each. */
function deepPng(): Buffer {
  return Buffer.concat([
    PNG,
    pngHeader(4_000, 4_000, 16, 6),
    pngChunk('IDAT', deflateSync(Buffer.alloc(4_000 * (1 + 4_000 * 8)))),
    pngChunk('IEND', EMPTY),
  ])
}

/** An IDAT chunk for every byte, and thousands of empty ones. */
function inManyParts(png: Buffer): Buffer {
  const at = png.indexOf('IDAT')
  const content = png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  const parts = [...content].map((byte) => pngChunk('IDAT', Buffer.from([byte])))
  const empty = Array.from({ length: 20_000 }, () => pngChunk('IDAT', EMPTY))
  return Buffer.concat([png.subarray(0, at - 4), ...parts, ...empty, pngChunk('IEND', EMPTY)])
}

function wideJpeg(jpeg: Buffer, side: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(side)
  size.writeUInt16BE(side, 2)
  return changedAt(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, size)
}

/** Two frames, thousands of times. */
async function endlessGif(): Promise<Buffer> {
  const gif = await (await moving()).gif({ loop: 0 }).toBuffer()
  const first = gif.indexOf(Buffer.from([0x21, 0xf9, 0x04]))
  const again = Array.from({ length: 5_000 }, () => gif.subarray(first, -1))
  return Buffer.concat([gif.subarray(0, first), ...again, text(';')])
}

/** A large JPEG with very many scans of a few bytes. */
async function endlessJpeg(): Promise<Buffer> {
  const flat = { create: { width: 6_000, height: 6_000, channels: 3, background: '#888' } } as const
  const jpeg = await sharp(flat).jpeg({ progressive: true, quality: 50 }).toBuffer()
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  const again = Array.from({ length: 500 }, () => jpeg.subarray(last, -2))
  return Buffer.concat([jpeg.subarray(0, -2), ...again, jpeg.subarray(-2)])
}
