import { StorageError } from './storage-error.ts'

/** The bucket and the name (path) of an object, existing or not. */
export type ObjectLocation = { bucket: string; name: string }

const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/
const OBJECT = /^[A-Za-z0-9_!.*'() &$=@;:+,?/-]{1,1024}$/

/** Path segments of the protocol, in the position of a bucket. */
const RESERVED = new Set([
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

/** Validates the name of a new bucket. @throws StorageError `InvalidBucketName` */
export function newBucketName(text: string): string {
  if (!isBucketName(text) || RESERVED.has(text)) throw new StorageError('InvalidBucketName')
  return text
}

/** Validates the name of a bucket. @throws StorageError `NoSuchBucket`, because none can have that name */
export function bucketName(text: string): string {
  if (!isBucketName(text)) throw new StorageError('NoSuchBucket')
  return text
}

function isBucketName(text: string): boolean {
  return BUCKET.test(text) && text.trim() === text && !/^\.+$/.test(text)
}

/** Validates the decoded name of an object. @throws StorageError `InvalidKey` */
export function objectName(text: string): string {
  if (isObjectName(text)) return text
  throw new StorageError('InvalidKey')
}

/** Rejects empty, `.` and `..` segments, so that a stored name means the same everywhere. */
export function isObjectName(text: string): boolean {
  return OBJECT.test(text) && text.split('/').every((part) => !/^\.{0,2}$/.test(part))
}

/** Whether the text can be a folder: empty for the bucket itself, or a name with a trailing slash. */
export function isFolderName(text: string): boolean {
  return text === '' || (text.endsWith('/') && isObjectName(text.slice(0, -1)))
}

/** Whether an object's name can contain the text. */
export function isPartOfName(text: string): boolean {
  return text === '' || OBJECT.test(text)
}

/** The last segment of a name. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
