import type { Objects } from './objects.ts'
import { invalidArgument } from './s3-error.ts'
import { xml } from './xml.ts'

/** The number of keys in a page. */
const PAGE = 1000

/** The response of ListObjectsV2. @throws S3Error */
export function listObjects(bucket: string, objects: Objects, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token')
  const keys = objects.keys().filter((key) => key.startsWith(prefix))
  const from = token === null ? 0 : keys.findIndex((key) => tokenOf(key) === token) + 1
  if (token !== null && from === 0) {
    throw invalidArgument('The continuation token provided is incorrect')
  }
  const page = keys.slice(from, from + PAGE)
  const last = page.at(-1)
  const isTruncated = from + PAGE < keys.length
  return xml('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    MaxKeys: PAGE,
    KeyCount: page.length,
    IsTruncated: isTruncated,
    ...(isTruncated && last !== undefined && { NextContinuationToken: tokenOf(last) }),
    Contents: page.map((key) => contentsOf(key, objects)),
  })
}

function contentsOf(key: string, objects: Objects) {
  const object = objects.get(key)
  return {
    Key: key,
    LastModified: new Date(object?.modified ?? 0).toISOString(),
    ETag: object?.etag ?? '',
    Size: object?.content.byteLength ?? 0,
    StorageClass: 'STANDARD',
  }
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString('base64url')
}
