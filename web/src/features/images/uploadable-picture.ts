import { MAX_IMAGE_BYTES } from '@bancone/contract/images'

/** The chosen file cannot be uploaded. */
export class UnsupportedPictureError extends Error {
  readonly why: 'too_large' | 'not_a_picture' | 'heic' | 'gone'

  constructor(why: UnsupportedPictureError['why']) {
    super(`Not sent: ${why}`)
    this.name = 'UnsupportedPictureError'
    this.why = why
  }
}

/**
 * The file to upload: the chosen one, or a smaller version when it is too large, as the photos of telephones are.
 *
 * @throws {UnsupportedPictureError} when no version can be uploaded
 */
export async function toUploadablePicture(file: Blob): Promise<Blob> {
  const kind = await pictureKind(file).catch(() => {
    throw new UnsupportedPictureError('gone')
  })
  if (kind === 'other') throw new UnsupportedPictureError('not_a_picture')
  if (kind !== 'heic' && file.size <= MAX_IMAGE_BYTES) return file
  // Some browsers can read the format of iPhones, and convert it.
  const smaller = await smallerPicture(file)
  if (smaller && smaller.size <= MAX_IMAGE_BYTES) return smaller
  throw new UnsupportedPictureError(kind === 'heic' ? 'heic' : 'too_large')
}

/** File type by the first bytes: name and declared type may be wrong. */
type PictureKind = 'jpeg' | 'png' | 'webp' | 'heic' | 'other'

const LOOKED_AT = 12

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** @throws when the browser can no longer read the file */
async function pictureKind(file: Blob): Promise<PictureKind> {
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer())
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpeg'
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  const text = String.fromCharCode(...bytes)
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'webp'
  return /^ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/.test(text.slice(4)) ? 'heic' : 'other'
}

const LONGEST_SIDE = 2000
const QUALITY = 0.9

/**
 * Scales the picture to a JPEG of at most 2000 pixels a side; the browser applies its orientation.
 *
 * @returns undefined when the browser cannot
 */
async function smallerPicture(file: Blob): Promise<Blob | undefined> {
  if (typeof createImageBitmap !== 'function') return undefined
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const paper = canvas.getContext('2d', { alpha: false })
    if (!paper) return undefined
    // JPEG has no transparency: white, as everywhere else.
    paper.fillStyle = 'white'
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.imageSmoothingQuality = 'high'
    paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) =>
      canvas.toBlob(done, 'image/jpeg', QUALITY),
    )
    return blob ?? undefined
  } finally {
    picture.close()
  }
}
