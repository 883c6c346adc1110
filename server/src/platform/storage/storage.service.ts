import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeptFiles } from '../../ports/file-store.ts'
import type { PictureMaker } from '../../ports/picture-maker.ts'
import type { Jobs } from '../jobs.ts'
import type { Scratch } from '../scratch.ts'
import type { Authorize, Holder } from './access.ts'
import { type Buckets, createBuckets } from './buckets.service.ts'
import { createBucketsStore } from './buckets.store.ts'
import { createDrawer, type Drawer } from './drawer.ts'
import { createDrawnFilesStore } from './drawn-files.store.ts'
import { createLists, type Lists } from './lists.service.ts'
import { createListsStore } from './lists.store.ts'
import { createObjects, type Objects } from './objects.service.ts'
import { createObjectsStore, type Quota } from './objects.store.ts'
import { createSignedLinks, type SignedLinks } from './signed-links.ts'
import { createSignedTokens } from './signed-tokens.ts'
import { createUnusedFiles } from './unused-files.ts'
import { createUploadTurns } from './upload-turns.ts'

export type StorageLimits = Quota & {
  /** Bytes of one object. */
  mostBytes: number
}

const usualStorageLimits: StorageLimits = {
  mostBytes: 50 * 1024 * 1024,
  quotaBytes: 500 * 1024 * 1024,
  quotaObjects: 100_000,
}

/** Everything behind `/storage/v1`. */
export type Storage = {
  buckets: Buckets
  objects: Objects
  lists: Lists
  links: SignedLinks
  drawer: Drawer
  files: KeptFiles
  authorize: Authorize
  /** Other sites whose pages may call. */
  origins: readonly string[]
}

type Dependencies = {
  db: Database
  files: KeptFiles
  scratch: Scratch
  pictures: Pick<PictureMaker, 'make'>
  authorize: Authorize
  /** What somebody may do now, by their id; null for another server, with its key. */
  holderOf(userId: string | null): Promise<Holder | undefined>
  /** Signs links, and nothing else. */
  linkKey: Uint8Array
  clock: Clock
  origins: readonly string[]
  limits?: Partial<StorageLimits> | undefined
  log: { warn(details: object, message: string): void }
}

export function createStorage(dependencies: Dependencies): {
  storage: Storage
  tasks: Jobs['tasks']
} {
  const { db, files, scratch, pictures, authorize, clock, origins, log } = dependencies
  const { mostBytes, ...quota } = { ...usualStorageLimits, ...dependencies.limits }
  const rows = createObjectsStore(db, quota)
  const bucketRows = createBucketsStore(db)
  const removeUnused = createUnusedFiles(files, log)
  const shared = { removeUnused, mostBytes }
  const buckets = createBuckets({ db, store: bucketRows, objects: rows, ...shared })
  return {
    tasks: buckets.tasks,
    storage: {
      buckets,
      objects: createObjects({
        store: rows,
        buckets: bucketRows,
        files,
        scratch,
        turns: createUploadTurns(),
        ...shared,
      }),
      lists: createLists({ store: createListsStore(db), buckets: bucketRows }),
      links: createSignedLinks({
        tokens: createSignedTokens(dependencies.linkKey, clock),
        objects: rows,
        buckets: bucketRows,
        holderOf: dependencies.holderOf,
        clock,
      }),
      drawer: createDrawer({ files, drawn: createDrawnFilesStore(db), pictures, scratch, log }),
      files,
      authorize,
      origins,
    },
  }
}
