import type { IncomingHttpHeaders } from 'node:http'
import type { StoredObject } from './objects.ts'
import { S3Error } from './s3-error.ts'

export type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** An object, or the requested range of it. @throws S3Error */
export function objectReply(object: StoredObject, asked: IncomingHttpHeaders): Reply {
  const { content, etag } = object
  const headers = {
    ...object.headers,
    etag,
    'last-modified': new Date(object.modified).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const ifMatch = asked['if-match']
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== etag) {
    const message = 'At least one of the pre-conditions you specified did not hold'
    throw new S3Error(412, 'PreconditionFailed', message)
  }
  if (asked['if-none-match'] === etag) return { status: 304, headers }
  const range = asked.range === undefined ? undefined : rangeOf(asked.range, content.byteLength)
  if (!range) return { status: 200, headers, body: content }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${content.byteLength}` },
    body: content.subarray(start, end + 1),
  }
}

/** @returns undefined for an invalid range: the whole object is sent then */
function rangeOf(text: string, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(text) ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return undefined
  if (start >= size) {
    throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable', {
      ActualObjectSize: String(size),
    })
  }
  return { start, end }
}
