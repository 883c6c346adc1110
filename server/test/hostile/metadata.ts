import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { anImage, drawn, moving, pngChunk } from '../pictures.ts'
import { type HostileFile, PAYLOAD, SCRIPT, text, USUAL } from './hostile-file.ts'
import {
  EXIF,
  type ExifEntry,
  exifBlock,
  exifDirectory,
  insertedAfter,
  jpegSegment,
  jpegWith,
} from './picture-parts.ts'

const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const ORIENTATION: ExifEntry = [0x0112, EXIF.short, 1, 6]

/** Valid pictures with private or malicious metadata. */
export async function filesWithMetadata(): Promise<HostileFile[]> {
  const [jpeg, png] = await Promise.all([anImage(), drawn().png().toBuffer()])
  const profile = (content: Buffer, part = 1, of = 1) =>
    jpegSegment(0xe2, Buffer.concat([text(`ICC_PROFILE\0`), Buffer.from([part, of]), content]))
  const exif = (block: Buffer) => jpegWith(jpeg, jpegSegment(0xe1, block))
  const files: [string, Buffer, { width: number; height: number }?][] = [
    ['where-it-was-taken.jpg', await photograph(jpeg), { width: 40, height: 60 }],
    ['directory-of-itself.jpg', exif(exifBlock(exifDirectory([[0x8769, EXIF.long, 1, 8]], 8)))],
    ['directory-far-away.jpg', exif(exifBlock(exifDirectory([[0x8769, 4, 1, 0xfffffff0]], 9e8)))],
    ['entries-without-end.jpg', exif(exifBlock(text('\xff\xff'), Buffer.alloc(60_000, 0x41)))],
    ['of-no-way-up.jpg', exif(exifBlock(exifDirectory([[0x0112, EXIF.short, 1, 99]])))],
    ['words-that-run.jpg', jpegWith(jpeg, jpegSegment(0xe1, text(`${XMP}<x:xmpmeta>${SCRIPT}`)))],
    [
      'words-that-unfold.jpg',
      jpegWith(
        jpeg,
        jpegSegment(0xe1, text(`${XMP}<!DOCTYPE a [<!ENTITY b "${PAYLOAD}">]><a>&b;</a>`)),
      ),
    ],
    [
      'names-of-press.jpg',
      jpegWith(jpeg, jpegSegment(0xed, text(`Photoshop 3.0\x008BIM${PAYLOAD}`))),
    ],
    ['profile-of-nothing.jpg', jpegWith(jpeg, profile(text(PAYLOAD)))],
    [
      'profile-of-much.jpg',
      jpegWith(
        jpeg,
        ...Array.from({ length: 50 }, (_, part) =>
          profile(Buffer.concat([text(PAYLOAD), randomBytes(60_000)]), part + 1, 50),
        ),
      ),
    ],
    [
      'profile-of-parts.jpg',
      jpegWith(jpeg, profile(text(PAYLOAD), 200, 2), profile(text(PAYLOAD), 0, 0)),
    ],
    [
      'profile-of-nothing.png',
      insertedAfter(
        png,
        33,
        pngChunk('iCCP', Buffer.concat([text(`${PAYLOAD}\0\0`), deflateSync(randomBytes(5_000))])),
      ),
    ],
    ['pictures-in-one.jpg', await forBrightScreens(jpeg)],
    ['own-parts.png', insertedAfter(png, 33, pngChunk('paYd', text(SCRIPT)))],
    ['moving.png', animatedPng(png)],
    ['moving.webp', await (await moving()).webp({ loop: 0 }).toBuffer()],
    [
      'for-print.jpg',
      await drawn().toColourspace('cmyk').withMetadata({ icc: 'cmyk' }).jpeg().toBuffer(),
    ],
    ['for-print-without-profile.jpg', await drawn().toColourspace('cmyk').jpeg().toBuffer()],
    ['deep.png', await drawn().toColourspace('rgb16').png().toBuffer()],
    ['grey.png', await drawn().toColourspace('b-w').png().toBuffer()],
    ['in-passes.jpg', await drawn().jpeg({ progressive: true }).toBuffer()],
    ['in-passes.png', await drawn().png({ progressive: true }).toBuffer()],
    ['of-few-colours.png', await drawn().ensureAlpha(0.5).png({ palette: true }).toBuffer()],
    ['of-another-place.jpg', await drawn().withIccProfile('p3').jpeg().toBuffer()],
  ]
  return files.map(([name, bytes, outcome = USUAL]) => ({ name, bytes, outcome }))
}

/** As a phone writes it: rotated, with GPS data and a thumbnail of the uncropped picture. */
async function photograph(jpeg: Buffer): Promise<Buffer> {
  const small = jpegWith(await anImage(), jpegSegment(0xfe, text(PAYLOAD)))
  const place = exifDirectory([
    [0x0001, 2, 2, 0x4e],
    [0x0002, EXIF.rational, 3, 200],
  ])
  const first = (where: number, next: number) =>
    exifDirectory([ORIENTATION, [0x8825, EXIF.long, 1, where]], next)
  const placeAt = 8 + first(0, 0).byteLength
  const secondAt = placeAt + place.byteLength
  const second = (where: number) =>
    exifDirectory([
      [0x0103, EXIF.short, 1, 6],
      [0x0201, EXIF.long, 1, where],
      [0x0202, EXIF.long, 1, small.byteLength],
    ])
  const block = exifBlock(
    first(placeAt, secondAt),
    place,
    second(secondAt + second(0).byteLength),
    small,
  )
  return jpegWith(jpeg, jpegSegment(0xe1, block))
}

/** With a gain map (Ultra HDR), as new phones write it. */
async function forBrightScreens(jpeg: Buffer): Promise<Buffer> {
  const gains = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'
  const description = (more: string) =>
    jpegSegment(
      0xe1,
      text(
        `${XMP}<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${gains} ${more}</rdf:Description></rdf:RDF></x:xmpmeta>`,
      ),
    )
  const map = jpegWith(
    await drawn(30, 20).greyscale().jpeg().toBuffer(),
    description('hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2">'),
    jpegSegment(0xfe, text(PAYLOAD)),
  )
  const item = (semantic: string, length: number) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="image/jpeg" Item:Length="${length}"/></rdf:li>`
  const directory = `xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory><rdf:Seq>${item('Primary', 0)}${item('GainMap', map.byteLength)}</rdf:Seq></Container:Directory>`
  return Buffer.concat([jpegWith(jpeg, description(directory)), map])
}

function animatedPng(png: Buffer): Buffer {
  const control = Buffer.alloc(8)
  control.writeUInt32BE(0x7fffffff)
  return insertedAfter(png, 33, pngChunk('acTL', control))
}
