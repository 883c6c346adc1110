import { StorageError } from './storage-error.ts'

/** Who calls: somebody signed in, or another server with its key, which then has no user. */
export type Holder = {
  userId: string | null
  /** Administers buckets, and reaches every object. */
  all: boolean
  /** The one folder that is theirs, in every bucket. */
  folder: string | null
}

/**
 * Says whose token that is. The application gives it: nothing here knows what folders there are.
 *
 * @returns undefined when it opens nothing, or not any more
 */
export type Authorize = (token: string) => Promise<Holder | undefined>

/** What of a bucket decides about access. */
type Opened = { public: boolean }

/** Whether an object of that name is theirs, whether it is there or not. */
export function reaches(holder: Holder | undefined, name: string): boolean {
  if (!holder) return false
  return holder.all || (holder.folder !== null && name.startsWith(`${holder.folder}/`))
}

export function canRead(holder: Holder | undefined, bucket: Opened, name: string): boolean {
  return bucket.public || reaches(holder, name)
}

/** Whether they are told what buckets there are. */
export function seesBuckets(holder: Holder | undefined): holder is Holder {
  return holder !== undefined && (holder.all || holder.folder !== null)
}

/** @throws StorageError `AccessDenied`, whatever is there or not */
export function mustReach(holder: Holder | undefined, name: string): asserts holder is Holder {
  if (!reaches(holder, name)) throw new StorageError('AccessDenied')
}

/** @throws StorageError `AccessDenied` */
export function mustAdminister(holder: Holder | undefined): asserts holder is Holder {
  if (!holder?.all) throw new StorageError('AccessDenied')
}
