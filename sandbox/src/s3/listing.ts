import type { Objects } from './objects.ts'
import { invalidArgument } from './s3-error.ts'
import { xml } from './xml.ts'

/** An entry of a listing: an object, or a common prefix. */
type Entry = { key: string } | { prefix: string }

/** The response of ListObjectsV2. @throws S3Error */
export function listObjects(bucket: string, objects: Objects, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const given = query.get('max-keys') ?? '1000'
  if (!/^\d{1,9}$/.test(given))
    throw invalidArgument('Provided max-keys not an integer or out of range')
  const most = Math.min(Number(given), 1000)
  const token = query.get('continuation-token')
  const after = token === null ? (query.get('start-after') ?? '') : tokenOf(token)

  const entries: Entry[] = []
  let last = ''
  let isTruncated = false
  for (const key of objects.keys()) {
    if (!key.startsWith(prefix) || compare(key, after) <= 0) continue
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    const shared = end < 0 ? '' : key.slice(0, end + delimiter.length)
    // The common prefix was listed already, here or on the page before.
    if (shared !== '' && (shared === last || shared === after)) continue
    if (entries.length === most) {
      isTruncated = most > 0
      break
    }
    entries.push(shared === '' ? { key } : { prefix: shared })
    last = shared === '' ? key : shared
  }

  return xml('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    ...(delimiter !== '' && { Delimiter: delimiter }),
    MaxKeys: most,
    KeyCount: entries.length,
    IsTruncated: isTruncated,
    ...(token !== null && { ContinuationToken: token }),
    ...(isTruncated && { NextContinuationToken: Buffer.from(last).toString('base64url') }),
    Contents: entries.flatMap((entry) => ('key' in entry ? [contentsOf(entry.key, objects)] : [])),
    CommonPrefixes: entries.flatMap((entry) =>
      'prefix' in entry ? [{ Prefix: entry.prefix }] : [],
    ),
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

function tokenOf(token: string): string {
  const key = Buffer.from(token, 'base64url').toString()
  if (key === '') throw invalidArgument('The continuation token provided is incorrect')
  return key
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
