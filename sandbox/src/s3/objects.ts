import { createHash } from 'node:crypto'

export type StoredObject = {
  content: Buffer
  /** Including its quotes. */
  etag: string
  modified: number
  /** Request headers that are stored and returned with it. */
  headers: Record<string, string>
}

/** The stored headers. */
const KEPT =
  /^(?:content-type|content-disposition|content-language|cache-control|expires|x-amz-meta-.+)$/

export type Objects = ReturnType<typeof createObjects>

/** The objects of a bucket, in memory. Writes are atomic. */
export function createObjects(now: () => number) {
  const objects = new Map<string, StoredObject>()
  return {
    get: (key: string) => objects.get(key),
    /** Sorted bytewise, as S3 lists them. */
    keys: () =>
      [...objects.keys()].sort((one, other) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      ),
    put(key: string, content: Buffer, given: Record<string, unknown>): StoredObject {
      const headers: Record<string, string> = {}
      for (const [name, value] of Object.entries(given)) {
        if (KEPT.test(name) && typeof value === 'string') headers[name] = value
      }
      const encoding = storedEncoding(given['content-encoding'])
      if (encoding !== '') headers['content-encoding'] = encoding
      headers['content-type'] ??= 'binary/octet-stream'
      const etag = `"${createHash('md5').update(content).digest('hex')}"`
      const object = { content, etag, modified: now(), headers }
      objects.set(key, object)
      return object
    },
    remove(key: string) {
      objects.delete(key)
    },
  }
}

/** `aws-chunked` is a transfer encoding, which is not stored. */
function storedEncoding(given: unknown): string {
  if (typeof given !== 'string') return ''
  return given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== 'aws-chunked')
    .join(',')
}
