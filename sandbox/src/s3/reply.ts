import type { StoredObject } from './objects.ts'
import { S3Error } from './s3-error.ts'

export type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** An object, or the requested range of it. @throws S3Error */
export function objectReply(object: StoredObject, range: string | undefined): Reply {
  const { content, etag } = object
  const headers = {
    ...object.headers,
    etag,
    'last-modified': new Date(object.modified).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) return { status: 200, headers, body: content }
  const size = content.byteLength
  const [start, end] = [Number(from), Math.min(Number(to), size - 1)]
  if (start >= size) {
    throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable', {
      ActualObjectSize: String(size),
    })
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
    body: content.subarray(start, end + 1),
  }
}
