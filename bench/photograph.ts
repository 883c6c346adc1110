import { crc32, deflateSync } from 'node:zlib'

/** A picture with large shapes and fine grain, as photographs have, as a PNG; another one for each number. */
export function photograph(number: number, width = 1_200, height = 900): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Eight bits a colour, three colours.
  header.set([8, 2], 8)
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows(number, width, height), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat(parts))
}

function rows(number: number, width: number, height: number): Buffer {
  const pixels = Buffer.alloc(height * (1 + width * 3))
  let grain = number + 1
  let at = 0
  for (let y = 0; y < height; y += 1) {
    // A row begins with its filter: none.
    at += 1
    for (let x = 0; x < width; x += 1) {
      // Edges, as what is printed on a pack has.
      const edge = (Math.imul((x >> 4) * 7_919 + (y >> 4) * 104_729, 2_654_435_761) >>> 20) % 48
      grain = (grain * 1_103_515_245 + 12_345) % 2_147_483_648
      const noise = (grain >> 16) % 8
      pixels[at] = 128 + 100 * Math.sin((x + number * 40) / 90) + noise + edge - 24
      pixels[at + 1] = 128 + 100 * Math.cos((y - number * 25) / 70) + noise + edge - 24
      pixels[at + 2] = 128 + 100 * Math.sin((x + y) / 120) + noise
      at += 3
    }
  }
  return pixels
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.byteLength)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, check])
}
