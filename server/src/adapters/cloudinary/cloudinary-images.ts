import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { cloudinaryTransformation, variantUrl } from '@bancone/contract/image-variants'
import { z } from 'zod'
import { HOSTED_FORMAT, type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import { type CloudinaryOptions, createCloudinaryClient } from './cloudinary-client.ts'

export type CloudinaryImagesOptions = CloudinaryOptions & {
  uploadPreset: string | undefined
  /** The folder of all pictures; a public id is a name in it. */
  folder: string
}

const Uploaded = z.object({
  secure_url: z.url({ protocol: /^https?$/ }),
  public_id: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  format: z.string().regex(/^[a-z0-9]{2,5}$/),
})

const Destroyed = z.object({ result: z.enum(['ok', 'not found']) })

const PUBLIC_ID = /^[a-z0-9][a-z0-9-]*_\d+$/
const SERVED = /^image\/(?:avif|webp|jpeg)$/

/** An image host at Cloudinary, which renders and serves the variants. */
export function createCloudinaryImages(options: CloudinaryImagesOptions): ImageHost {
  const { uploadPreset = '', folder } = options
  const cloudinary = createCloudinaryClient(options)
  const nameOf = (publicId: string) => (folder === '' ? publicId : `${folder}/${publicId}`)

  async function destroy(name: string): Promise<void> {
    // Also invalidates the copies in the CDN.
    const reply = await cloudinary.tell('destroy', { public_id: name, invalidate: 'true' })
    if (!Destroyed.safeParse(reply).success) throw notUnderstood()
  }

  return {
    async put(publicId, { path }, signal) {
      if (!PUBLIC_ID.test(publicId)) throw new ImageHostError('refused', 'not a name of a picture')
      const blob = await blobOf(path)
      const fields = {
        ...(uploadPreset !== '' && { upload_preset: uploadPreset }),
        ...(folder !== '' && { folder }),
        public_id: publicId,
        // Signed uploads set their own options; the URLs define the transformations.
        quality: 'auto',
        fetch_format: 'auto',
      }
      const file = { blob, name: `${publicId}.${HOSTED_FORMAT}` }
      const reply = Uploaded.safeParse(await cloudinary.tell('upload', fields, file, signal))
      if (!reply.success) throw notUnderstood()
      const { secure_url: url, public_id: name, width, height, format } = reply.data
      if (name !== nameOf(publicId) || variantUrl(url, 'card') === url) {
        // An upload preset may rename pictures. A picture under another name would never be removed.
        await destroy(name)
        throw new ImageHostError('refused', 'Cloudinary keeps it under another name or type')
      }
      return { url, width, height, format, fileKey: null }
    },

    async open(publicId, variant, format) {
      if (!PUBLIC_ID.test(publicId)) return undefined
      const found = await cloudinary.take(
        cloudinaryTransformation(variant, format),
        nameOf(publicId),
      )
      if (!found) return undefined
      const { bytes, contentType } = found
      if (!SERVED.test(contentType)) throw notUnderstood()
      return { bytes: bytes.byteLength, contentType, stream: Readable.from([bytes]) }
    },

    async remove(publicId) {
      if (PUBLIC_ID.test(publicId)) await destroy(nameOf(publicId))
    },
  }
}

/** Streams the file instead of reading it into memory. */
async function blobOf(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type: `image/${HOSTED_FORMAT}` })
  } catch {
    throw new ImageHostError('unavailable', 'the picture is not on this disk')
  }
}

function notUnderstood(): ImageHostError {
  return new ImageHostError('unavailable', 'the answer of Cloudinary is not understood')
}
