import { randomBytes } from 'node:crypto'
import { anImage, drawn } from '../pictures.ts'
import { type HostileFile, SCRIPT, text } from './hostile-file.ts'
import { changedAt } from './picture-parts.ts'

const NOTHING = Buffer.alloc(8)

/** Truncated pictures, and pictures with contradictory headers. */
export async function broken(): Promise<HostileFile[]> {
  const noise = randomBytes(400 * 300 * 3)
  const large = () =>
    drawn(400, 300).composite([{ input: noise, raw: { width: 400, height: 300, channels: 3 } }])
  const [jpeg, png, gif, webp, avif] = await Promise.all([
    large().jpeg().toBuffer(),
    large().png().toBuffer(),
    large().gif().toBuffer(),
    large().webp().toBuffer(),
    large().avif().toBuffer(),
  ])
  const small = await anImage()
  const formats = { jpg: jpeg, png, gif, webp, avif }
  const whole = Object.entries(formats).map(([format, bytes]) => ({
    name: `whole.${format}`,
    bytes,
    outcome: { width: 400, height: 300 },
  }))
  const contents: [string, Buffer][] = [
    ['its-beginning.png', text('\x89PNG\r\n\x1a\n')],
    ['its-beginning.gif', text('GIF89a')],
    ['its-beginning.webp', text('RIFF\0\0\0\0WEBP')],
    ['its-beginning.avif', text('\0\0\0\x1cftypavif')],
    ['of-phones.heic', text('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['page-with-a-beginning.jpg', text(`\xff\xd8\xff/*${SCRIPT}*/`)],
    ['page-with-a-beginning.gif', text(`GIF89a=1;/*${SCRIPT}*/`)],
    ['random.jpg', Buffer.concat([text('\xff\xd8\xff\xe0'), randomBytes(50_000)])],
    [
      'random-and-large.jpg',
      Buffer.concat([text('\xff\xd8\xff\xe0'), randomBytes(5 * 1024 * 1024 - 4)]),
    ],
    ['random.png', Buffer.concat([text('\x89PNG\r\n\x1a\n'), randomBytes(50_000)])],
    ['no-size.png', changedAt(png, 16, NOTHING)],
    ['no-size.jpg', changedAt(small, small.indexOf(text('\xff\xc0')) + 5, NOTHING.subarray(4))],
    ['wrong-sum.png', changedAt(png, 29, text('\0\0\0\0'))],
    ['wrong-data.png', changedAt(png, png.byteLength >> 1, Buffer.alloc(2_000, 0xa5))],
    ['nothing-drawn.png', Buffer.concat([png.subarray(0, 33), png.subarray(-12)])],
    ['wrong-length.webp', changedAt(webp, 16, text('\xff\xff\xff\x7f'))],
    ...Object.entries(formats).flatMap(([format, bytes]) => truncated(bytes, format)),
  ]
  const unreadable = contents.map(
    ([name, bytes]) => ({ name, bytes, outcome: 'unreadable' }) as const,
  )
  // These are accepted; only their truncated versions are refused.
  return [...unreadable, ...whole]
}

function truncated(bytes: Buffer, format: string): [string, Buffer][] {
  return [0.01, 0.5, 0.9].map((part) => [
    `ends-at-${part * 100}.${format}`,
    bytes.subarray(0, Math.round(bytes.byteLength * part)),
  ])
}
