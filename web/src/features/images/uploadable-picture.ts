import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import { pictureKind } from './picture-kind.ts'
import { smallerPicture } from './smaller-picture.ts'

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
