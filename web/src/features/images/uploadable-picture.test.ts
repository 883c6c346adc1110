import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import { expect, test } from 'vitest'
import { fakeDrawing, pictureOf } from '../../../test/fake-pictures.ts'
import { toUploadablePicture } from './uploadable-picture.ts'

const large = MAX_IMAGE_BYTES + 1

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s that is not too large is sent as it is',
  async (kind) => {
    fakeDrawing(4000, 3000, 1)
    const file = pictureOf(kind, 'x', MAX_IMAGE_BYTES)
    expect(await toUploadablePicture(file)).toBe(file)
  },
)

test('a photo that is too large is made smaller, in its own shape', async () => {
  const drawn = fakeDrawing(4000, 3000, 900_000)
  const sent = await toUploadablePicture(pictureOf('jpeg', 'x.jpg', large))
  expect(drawn).toEqual([{ width: 2000, height: 1500, type: 'image/jpeg' }])
  expect([sent.size, sent.type]).toEqual([900_000, 'image/jpeg'])
})

test('one with few pixels is not made larger', async () => {
  const drawn = fakeDrawing(600, 1000, 900_000)
  await toUploadablePicture(pictureOf('png', 'x.png', large))
  expect(drawn).toMatchObject([{ width: 600, height: 1000 }])
})

test('what an iPhone writes is handed on as a JPEG where the browser reads it', async () => {
  fakeDrawing(3000, 4000, 900_000)
  expect((await toUploadablePicture(pictureOf('heic', 'x.heic'))).type).toBe('image/jpeg')
})

test('what is still too large, or cannot be drawn, is not sent', async () => {
  const photo = pictureOf('jpeg', 'x.jpg', large)
  await expect(toUploadablePicture(photo)).rejects.toMatchObject({ why: 'too_large' })
  await expect(toUploadablePicture(pictureOf('heic', 'x'))).rejects.toMatchObject({ why: 'heic' })
  fakeDrawing(2000, 2000, large)
  await expect(toUploadablePicture(photo)).rejects.toMatchObject({ why: 'too_large' })
})

test('a name and a type do not make a picture', async () => {
  const file = new File([await pictureOf('pdf', '').arrayBuffer()], 'x.jpg', { type: 'image/jpeg' })
  await expect(toUploadablePicture(file)).rejects.toMatchObject({ why: 'not_a_picture' })
})
