import { text } from './hostile-file.ts'

/** A marked part of a JPEG, such as 0xe1 for Exif and XMP, 0xe2 for ICC profiles, 0xfe for a comment. */
export function jpegPart(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.byteLength + 2, 2)
  return Buffer.concat([head, content])
}

/** The JPEG with those parts before its own. */
export const jpegWith = (jpeg: Buffer, ...parts: Buffer[]) =>
  insertedAfter(jpeg, 2, Buffer.concat(parts))

export function insertedAfter(bytes: Buffer, at: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])
}

/** The same with other bytes in one place. */
export function changedAt(bytes: Buffer, at: number, other: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  other.copy(changed, at)
  return changed
}

/** One entry of a directory of Exif: a tag, its type, how many, and the value or where it is. */
export type ExifEntry = [tag: number, type: number, count: number, value: number]

export const EXIF = { short: 3, long: 4, rational: 5 } as const

/** A directory of Exif. @param next where the next one is, from the beginning of the block */
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

/** A block of Exif: what follows its eight bytes of beginning, the first directory first. */
export const exifBlock = (...rest: Buffer[]) =>
  Buffer.concat([text('Exif\0\0II*\0\x08\0\0\0'), ...rest])
