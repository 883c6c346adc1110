import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PutObjectCommand } from '@aws-sdk/client-s3'
import { FileStoreError, isFileKey, type ListableFiles } from '../../ports/file-store.ts'
import { createS3Client, type S3ClientOptions } from './s3-client.ts'

export type S3FilesOptions = S3ClientOptions & {
  bucket: string
  /** The prefix of the object keys, before a slash. */
  folder: string
}

/** The size of the chunks in which files are read, in bytes. */
const PART = 64 * 1024

/**
 * A file store in an existing S3 bucket. The account needs the permission ListBucket: without it S3 reports a missing
 * file as forbidden.
 */
export function createS3Files(options: S3FilesOptions): ListableFiles & { close(): void } {
  const { bucket, folder } = options
  const s3 = createS3Client(options)

  function objectOf(key: string) {
    if (!isFileKey(key)) throw new Error('not a key of a file')
    return { Bucket: bucket, Key: `${folder}/${key}` }
  }

  type Put = ReturnType<typeof objectOf> & { ContentType: string }

  async function putBytes(put: Put, bytes: Uint8Array) {
    return s3.send(({ client, sdk, limit }) =>
      client.send(new sdk.PutObjectCommand({ ...put, Body: bytes }), { abortSignal: limit.signal }),
    )
  }

  /** The file is read twice, for its hash and for the upload, so that it is never in memory as a whole. */
  async function putFile(put: Put, file: FileHandle) {
    const { size } = await file.stat()
    const hash = createHash('sha256')
    await pipeline(streamOf(file), hash)
    const digest = hash.digest('hex')
    return s3.send(async ({ client, sdk, limit }) => {
      const body = streamOf(file)
      body.once('error', () => limit.abort())
      try {
        const command = new sdk.PutObjectCommand({ ...put, Body: body, ContentLength: size })
        sign(command, digest)
        return await client.send(command, { abortSignal: limit.signal })
      } finally {
        body.destroy()
      }
    })
  }

  return {
    async put(key, source, contentType) {
      const put = { ...objectOf(key), ContentType: contentType }
      const isDone =
        source instanceof Uint8Array
          ? putBytes(put, source)
          : fromFile(source.path, (file) => putFile(put, file))
      if (!(await isDone)) throw new FileStoreError('S3 has no such bucket')
    },

    async open(key, range) {
      const object = objectOf(key)
      const Range = range && `bytes=${range.start}-${range.end}`
      return s3.send(async ({ client, sdk, limit }) => {
        const command = new sdk.GetObjectCommand({ ...object, ...(Range && { Range }) })
        const reply = await client.send(command, { abortSignal: limit.signal })
        const stream = reply.Body
        if (!(stream instanceof Readable)) throw new FileStoreError('S3 sent no file')
        const bytes = range ? totalOf(reply.ContentRange) : reply.ContentLength
        if (bytes !== undefined) return { bytes, stream }
        stream.destroy()
        throw new FileStoreError('S3 does not say how large a file is')
      })
    },

    async remove(key) {
      const object = objectOf(key)
      await s3.send(({ client, sdk, limit }) =>
        client.send(new sdk.DeleteObjectCommand(object), { abortSignal: limit.signal }),
      )
    },

    async *list(prefix) {
      const start = `${folder}/`
      let token: string | undefined
      do {
        const page = await s3.send(({ client, sdk, limit }) => {
          const input = { Bucket: bucket, Prefix: start + prefix, ContinuationToken: token }
          return client.send(new sdk.ListObjectsV2Command(input), { abortSignal: limit.signal })
        })
        if (!page) throw new FileStoreError('S3 has no such bucket')
        for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
          const key = Key?.slice(start.length) ?? ''
          if (isFileKey(key)) yield { key, bytes: Size, modifiedAt: LastModified?.getTime() ?? 0 }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },

    close: s3.close,
  }
}

/** Keeps the file open, so that the content stays the same even if the path is replaced. */
async function fromFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    return await work(file)
  } catch (error) {
    if (error instanceof FileStoreError) throw error
    throw new FileStoreError('a file could not be read', { cause: error })
  } finally {
    await file?.close()
  }
}

/** A stream from the beginning of the file. A stream of `fs` would close the file, which a retry needs. */
function streamOf(file: FileHandle): Readable {
  return Readable.from(partsOf(file), { objectMode: false })
}

async function* partsOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PART), 0, PART, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Signs the hash of the content, so that S3 refuses a modified one. The library does so for bytes, not for streams. */
function sign(command: PutObjectCommand, digest: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      if (hasHeaders(args.request)) args.request.headers['x-amz-content-sha256'] = digest
      return next(args)
    },
    { step: 'build', name: 'signTheContent' },
  )
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request
}

/** `bytes 0-99/1234` */
function totalOf(contentRange: string | undefined): number | undefined {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/.exec(contentRange ?? '') ?? []
  return total === undefined ? undefined : Number(total)
}
