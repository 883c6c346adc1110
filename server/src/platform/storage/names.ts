import { StorageError } from './storage-error.ts'

/** Where in a bucket an object is, or is to be. */
export type Place = { bucket: string; name: string }

const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/
const OBJECT = /^[A-Za-z0-9_!.*'() &$=@;:+,?/-]{1,1024}$/

/** Addresses of the protocol have these where others have the bucket. */
const TAKEN = new Set([
  'authenticated',
  'copy',
  'info',
  'list',
  'list-v2',
  'move',
  'public',
  'sign',
  'upload',
])

/** The name of a bucket that is to be made. @throws StorageError `InvalidBucketName` */
export function newBucketName(text: string): string {
  if (!isBucketName(text) || TAKEN.has(text)) throw new StorageError('InvalidBucketName')
  return text
}

/** @throws StorageError `NoSuchBucket`: none can have that name */
export function bucketName(text: string): string {
  if (!isBucketName(text)) throw new StorageError('NoSuchBucket')
  return text
}

function isBucketName(text: string): boolean {
  return BUCKET.test(text) && text.trim() === text && !/^\.+$/.test(text)
}

/** The whole name of an object, after it was decoded. @throws StorageError `InvalidKey` */
export function objectName(text: string): string {
  if (isObjectName(text)) return text
  throw new StorageError('InvalidKey')
}

/** No empty names between slashes, and none of a folder above: what we keep means the same everywhere. */
export function isObjectName(text: string): boolean {
  return OBJECT.test(text) && text.split('/').every((part) => !/^\.{0,2}$/.test(part))
}

/** What all names in a folder begin with: nothing for the bucket itself, or a name with a slash at its end. */
export function isFolderName(text: string): boolean {
  return text === '' || (text.endsWith('/') && isObjectName(text.slice(0, -1)))
}

/** Whether a name could have it in it. */
export function isPartOfName(text: string): boolean {
  return text === '' || OBJECT.test(text)
}

/** The last of its names. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
