import { text } from './hostile-file.ts'

/** A JPEG segment with a marker, such as 0xe1 for Exif and XMP, 0xe2 for ICC profiles, 0xfe for a comment. */
export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.byteLength + 2, 2)
  return Buffer.concat([head, content])
}

/** The JPEG with those segments before its own. */
export const jpegWith = (jpeg: Buffer, ...parts: Buffer[]) =>
  insertedAfter(jpeg, 2, Buffer.concat(parts))

export function insertedAfter(bytes: Buffer, at: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])
}

/** The bytes with a replaced part. */
export function changedAt(bytes: Buffer, at: number, other: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  other.copy(changed, at)
  return changed
}

/** An entry of an Exif directory (IFD): tag, type, count, and the value or its offset. */
export type ExifEntry = [tag: number, type: number, count: number, value: number]

export const EXIF = { short: 3, long: 4, rational: 5 } as const

/** An Exif directory (IFD). @param next the offset of the next one */
export function exifDirectory(entries: readonly ExifEntry[], next = 0): Buffer {
  const directory = Buffer.alloc(2 + entries.length * 12 + 4)
  directory.writeUInt16LE(entries.length)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(count, at + 4)
    directory.writeUInt32LE(value, at + 8)
  }
  directory.writeUInt32LE(next, 2 + entries.length * 12)
  return directory
}

/** An Exif block: its header of eight bytes, then the directories. */
export const exifBlock = (...rest: Buffer[]) =>
  Buffer.concat([text('Exif\0\0II*\0\x08\0\0\0'), ...rest])
