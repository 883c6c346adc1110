import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredFiles } from '../../ports/file-store.ts'
import type { Log } from '../../ports/log.ts'
import type { PictureRenderer } from '../../ports/picture-renderer.ts'
import { type Audit, createAudit } from '../audit.ts'
import type { Tasks } from '../jobs.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import type { Authorize, Principal } from './access.ts'
import { type Buckets, createBuckets } from './buckets.service.ts'
import { createBucketsStore } from './buckets.store.ts'
import { createLists, type Lists } from './lists.service.ts'
import { createListsStore } from './lists.store.ts'
import { createObjects, type Objects } from './objects.service.ts'
import { createObjectsStore, type Quota } from './objects.store.ts'
import { createRenderer, type Renderer } from './renderer.ts'
import { createRenderedFilesStore } from './renditions.ts'
import { createSignedTokens, createSignedUrls, type SignedUrls } from './signed-urls.ts'
import { createUnusedFiles } from './unused-files.ts'
import { createUploadQueue } from './uploads.ts'

export type StorageLimits = Quota & {
  /** The maximum size of an object, in bytes. */
  maxBytes: number
}

const defaultStorageLimits: StorageLimits = {
  maxBytes: 50 * 1024 * 1024,
  quotaBytes: 500 * 1024 * 1024,
  quotaObjects: 100_000,
}

/** The services behind `/storage/v1`. */
export type Storage = {
  buckets: Buckets
  objects: Objects
  lists: Lists
  signedUrls: SignedUrls
  renderer: Renderer
  files: StoredFiles
  authorize: Authorize
  /** Records what administrators do. */
  audit: Pick<Audit, 'record'>
  /** Further origins whose pages may call the API. */
  origins: readonly string[]
}

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

export function createStorage(dependencies: Dependencies): {
  storage: Storage
  tasks: Tasks
} {
  const { db, files, temporaryFiles, pictures, authorize, clock, origins, log } = dependencies
  const { maxBytes, ...quota } = { ...defaultStorageLimits, ...dependencies.limits }
  const rows = createObjectsStore(db, quota)
  const bucketRows = createBucketsStore(db)
  const removeUnused = createUnusedFiles(files, log)
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
