import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue, type Task, type Tasks } from '../jobs.ts'
import type { Bucket, BucketPage, BucketRules, BucketsStore } from './buckets.store.ts'
import type { ObjectsStore } from './objects.store.ts'
import { canListBuckets, type Principal, requireAdmin } from './principals.ts'
import { StorageError } from './storage-error.ts'

const EMPTY_TASK = 'storage.empty'

/** Objects that are removed in one batch. */
const PORTION = 1000

const Emptying = z.object({ bucket: z.string(), before: z.string() })

type Dependencies = {
  db: Database
  store: BucketsStore
  objects: Pick<ObjectsStore, 'deleteBatch' | 'now'>
  removeUnused(keys: readonly string[]): Promise<void>
  /** The maximum size of an object, in bytes. */
  maxBytes: number
}

/** Buckets. Administrators manage them; principals with a folder may list them. */
export function createBuckets(dependencies: Dependencies) {
  const { db, store, objects, removeUnused, maxBytes } = dependencies

  function check({ file_size_limit: limit }: Partial<BucketRules>) {
    if (typeof limit === 'number' && limit > maxBytes) throw new StorageError('EntityTooLarge')
  }

  async function find(principal: Principal | undefined, id: string): Promise<Bucket> {
    const bucket = canListBuckets(principal) ? await store.find(id) : undefined
    if (!bucket) throw new StorageError('NoSuchBucket')
    // The owner is shown to administrators only.
    return principal?.isAdmin ? bucket : { ...bucket, owner: '' }
  }

  /** @returns whether objects may be left */
  async function emptyPortion(bucket: string, before: string): Promise<boolean> {
    const keys = await objects.deleteBatch(bucket, before, PORTION)
    await removeUnused(keys)
    return keys.length === PORTION
  }

  const emptyBucket: Task['run'] = async (payload, signal) => {
    const { bucket, before } = Emptying.parse(payload)
    while (await emptyPortion(bucket, before)) {
      // The next process runs the job again.
      if (signal?.aborted) throw new Error('the process ends')
    }
  }

  return {
    tasks: { [EMPTY_TASK]: { lane: 'maintenance', run: emptyBucket } } satisfies Tasks,

    get: find,

    async list(principal: Principal | undefined, page: BucketPage): Promise<Bucket[]> {
      if (!canListBuckets(principal)) return []
      const found = await store.list(page)
      return principal.isAdmin ? found : found.map((bucket) => ({ ...bucket, owner: '' }))
    },

    async create(principal: Principal | undefined, id: string, rules: BucketRules): Promise<void> {
      requireAdmin(principal)
      check(rules)
      await store.insert(id, principal.userId, rules)
    },

    async update(
      principal: Principal | undefined,
      id: string,
      rules: Partial<BucketRules>,
    ): Promise<void> {
      requireAdmin(principal)
      check(rules)
      await store.update(id, rules)
    },

    /** Removes the objects that are in the bucket now: one batch at once, and the rest in a job. */
    async empty(principal: Principal | undefined, id: string): Promise<void> {
      requireAdmin(principal)
      await find(principal, id)
      const before = await objects.now()
      if (await emptyPortion(id, before)) {
        await enqueue(db, EMPTY_TASK, { bucket: id, before }, { key: `${EMPTY_TASK}:${id}` })
      }
    },

    async delete(principal: Principal | undefined, id: string): Promise<void> {
      requireAdmin(principal)
      await store.delete(id)
    },
  }
}
