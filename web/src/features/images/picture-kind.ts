/** File type by the first bytes: name and declared type may be wrong. */
export type PictureKind = 'jpeg' | 'png' | 'webp' | 'heic' | 'other'

const LOOKED_AT = 12

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** @throws when the browser can no longer read the file */
export async function pictureKind(file: Blob): Promise<PictureKind> {
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer())
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  const text = String.fromCharCode(...bytes)
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'webp'
  return /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(text.slice(4)) ? 'heic' : 'other'
}
