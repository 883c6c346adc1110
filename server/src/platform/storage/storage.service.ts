import PQueue from 'p-queue'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredFiles } from '../../ports/file-store.ts'
import type { Log } from '../../ports/log.ts'
import type { PictureRenderer } from '../../ports/picture-renderer.ts'
import { createAudit } from '../audit.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import { createBuckets } from './buckets.service.ts'
import { createBucketsStore } from './buckets.store.ts'
import { createLists } from './lists.service.ts'
import { createListsStore } from './lists.store.ts'
import { createObjects } from './objects.service.ts'
import { createObjectsStore } from './objects.store.ts'
import type { Authorize, Principal } from './principals.ts'
import { createRenderer } from './renderer.ts'
import { createRenderedFilesStore } from './renditions.ts'
import { createSignedTokens, createSignedUrls } from './signed-urls.ts'
import { createUploadQueue } from './uploads.ts'

const defaultStorageLimits = {
  /** The maximum size of an object, in bytes. */
  maxBytes: 50 * 1024 * 1024,
  quotaBytes: 500 * 1024 * 1024,
  quotaObjects: 100_000,
}

export type StorageLimits = typeof defaultStorageLimits

/** Concurrent removals of files. */
const REMOVALS_AT_ONCE = 8

type Dependencies = {
  db: Database
  files: StoredFiles
  temporaryFiles: TemporaryFiles
  pictures: Pick<PictureRenderer, 'render'>
  authorize: Authorize
  /** The current principal of a user id; null for another server with the admin key. */
  principalOf(userId: string | null): Promise<Principal | undefined>
  /** The key that signs URLs, and nothing else. */
  signedUrlKey: Uint8Array
  clock: Clock
  origins: readonly string[]
  limits?: Partial<StorageLimits> | undefined
  log: Pick<Log, 'warn'>
}

/** The services behind `/storage/v1`. */
export type Storage = ReturnType<typeof createStorage>['storage']

export function createStorage(dependencies: Dependencies) {
  const { db, files, temporaryFiles, pictures, authorize, clock, origins, log } = dependencies
  const { maxBytes, ...quota } = { ...defaultStorageLimits, ...dependencies.limits }
  const rows = createObjectsStore(db, quota)
  const bucketRows = createBucketsStore(db)
  const removals = new PQueue({ concurrency: REMOVALS_AT_ONCE })

  /**
   * Removes files that no object refers to any more, so that the disk does not fill with them. A file that cannot
   * be removed now is left to the daily cleanup.
   */
  async function removeUnused(keys: readonly string[]): Promise<void> {
    const remove = (key: string) =>
      files.remove(key).catch((error: unknown) => {
        log.warn({ err: error }, 'a file is left to the daily cleaning')
      })
    await removals.addAll(keys.map((key) => () => remove(key)))
  }

  const shared = { removeUnused, maxBytes }
  const buckets = createBuckets({ db, store: bucketRows, objects: rows, ...shared })
  return {
    tasks: buckets.tasks,
    storage: {
      buckets,
      objects: createObjects({
        store: rows,
        buckets: bucketRows,
        files,
        temporaryFiles,
        uploadQueue: createUploadQueue(),
        ...shared,
      }),
      lists: createLists({ store: createListsStore(db), buckets: bucketRows }),
      signedUrls: createSignedUrls({
        tokens: createSignedTokens(dependencies.signedUrlKey, clock),
        objects: rows,
        buckets: bucketRows,
        principalOf: dependencies.principalOf,
        clock,
      }),
      renderer: createRenderer({
        files,
        renditions: createRenderedFilesStore(db),
        pictures,
        temporaryFiles,
        log,
      }),
      files,
      authorize,
      audit: createAudit(db),
      origins,
    },
  }
}
