import { MOST_IMAGE_BYTES } from '@bancone/contract/images'
import { pictureKind } from './picture-kind.ts'
import { smallerPicture } from './smaller-picture.ts'

/** The file that was chosen is not sent at all. */
export class UnsendablePicture extends Error {
  readonly why: 'too_large' | 'not_a_picture' | 'heic' | 'gone'

  constructor(why: UnsendablePicture['why']) {
    super(`Not sent: ${why}`)
    this.name = 'UnsendablePicture'
    this.why = why
  }
}

/**
 * What is sent for the file that was chosen: itself, or a smaller one in its place where it is too large, as
 * the photos of telephones are.
 *
 * @throws {UnsendablePicture} when there is nothing that could be sent
 */
export async function sendablePicture(file: Blob): Promise<Blob> {
  const kind = await pictureKind(file).catch(() => {
    throw new UnsendablePicture('gone')
  })
  if (kind === 'other') throw new UnsendablePicture('not_a_picture')
  if (kind !== 'heic' && file.size <= MOST_IMAGE_BYTES) return file
  // Some browsers read what iPhones write, and can hand it on in a form that all do.
  const smaller = await smallerPicture(file)
  if (smaller && smaller.size <= MOST_IMAGE_BYTES) return smaller
  throw new UnsendablePicture(kind === 'heic' ? 'heic' : 'too_large')
}
