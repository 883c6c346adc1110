import { UploadedImage } from '@bancone/contract/images'
import { testServer } from './server.ts'
import { testFileFolder } from './temporary-folder.ts'

export type ImagesServer = Awaited<ReturnType<typeof imagesServer>>

type Headers = { authorization: string }

/** The real application with a folder for files. */
export async function imagesServer(settings: Parameters<typeof testServer>[0] = {}) {
  const folder = await testFileFolder()
  const server = await testServer({ files: { folder }, ...settings })
  let made = 0
  return {
    ...server,
    /** The folder of the stored files. */
    folder,
    /** A new, signed-in pharmacy. */
    async pharmacy() {
      made += 1
      const email = `images-${made}@example.it`
      const id = await server.addPharmacy({ email, code: `IMAGES-${made}` })
      return { id, headers: await server.signIn(email) }
    },
    send: (headers: Headers, bytes: Uint8Array, type = 'image/jpeg') =>
      server.app.inject({
        method: 'POST',
        url: '/api/images',
        headers: { ...headers, 'content-type': type },
        payload: Buffer.from(bytes),
      }),
  }
}

/** Uploads a picture successfully. */
export async function sent(
  server: ImagesServer,
  headers: Headers,
  bytes: Uint8Array,
): Promise<UploadedImage> {
  const reply = await server.send(headers, bytes)
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return UploadedImage.parse(reply.json())
}
