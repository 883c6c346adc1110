import { createHash } from 'node:crypto'

export type StoredObject = {
  content: Buffer
  /** Including its quotes. */
  etag: string
  modified: number
  /** Request headers that are stored and returned with it. */
  headers: { 'content-type': string }
}

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
    put(key: string, content: Buffer, contentType = 'binary/octet-stream'): StoredObject {
      const etag = `"${createHash('md5').update(content).digest('hex')}"`
      const headers = { 'content-type': contentType }
      const object = { content, etag, modified: now(), headers }
      objects.set(key, object)
      return object
    },
    remove(key: string) {
      objects.delete(key)
    },
  }
}
