import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue, type Task } from '../jobs.ts'
import { type Holder, mustAdminister, seesBuckets } from './access.ts'
import type { Bucket, BucketPage, BucketRules, BucketsStore } from './buckets.store.ts'
import type { ObjectsStore } from './objects.store.ts'
import { StorageError } from './storage-error.ts'
import type { RemoveUnused } from './unused-files.ts'

const EMPTY_TASK = 'storage.empty'

/** Objects that are removed at once. */
const PORTION = 1000

const Emptying = z.object({ bucket: z.string(), before: z.string() })

type Dependencies = {
  db: Database
  store: BucketsStore
  objects: Pick<ObjectsStore, 'takeOut' | 'now'>
  removeUnused: RemoveUnused
  /** Bytes that no object may exceed. */
  mostBytes: number
}

export type Buckets = ReturnType<typeof createBuckets>

/** Buckets, which administrators make. Whoever has a folder in them is told what they are called. */
export function createBuckets(dependencies: Dependencies) {
  const { db, store, objects, removeUnused, mostBytes } = dependencies

  function check({ file_size_limit: limit }: Partial<BucketRules>) {
    if (typeof limit === 'number' && limit > mostBytes) throw new StorageError('EntityTooLarge')
  }

  async function find(holder: Holder | undefined, id: string): Promise<Bucket> {
    const bucket = seesBuckets(holder) ? await store.find(id) : undefined
    if (!bucket) throw new StorageError('NoSuchBucket')
    // Who made it is nobody's business but the administrators'.
    return holder?.all ? bucket : { ...bucket, owner: '' }
  }

  /** @returns whether there is more */
  async function emptyPortion(bucket: string, before: string): Promise<boolean> {
    const keys = await objects.takeOut(bucket, before, PORTION)
    await removeUnused(keys)
    return keys.length === PORTION
  }

  const task: Task = async (payload, signal) => {
    const { bucket, before } = Emptying.parse(payload)
    while (await emptyPortion(bucket, before)) {
      // Begun anew by the next process.
      if (signal?.aborted) throw new Error('the process ends')
    }
  }

  return {
    tasks: { [EMPTY_TASK]: task },

    get: find,

    async list(holder: Holder | undefined, page: BucketPage): Promise<Bucket[]> {
      if (!seesBuckets(holder)) return []
      const found = await store.list(page)
      return holder.all ? found : found.map((bucket) => ({ ...bucket, owner: '' }))
    },

    async create(holder: Holder | undefined, id: string, rules: BucketRules): Promise<void> {
      mustAdminister(holder)
      check(rules)
      if (!(await store.insert(id, holder.userId, rules))) {
        throw new StorageError('BucketAlreadyExists')
      }
    },

    async update(
      holder: Holder | undefined,
      id: string,
      rules: Partial<BucketRules>,
    ): Promise<void> {
      mustAdminister(holder)
      check(rules)
      if (!(await store.update(id, rules))) throw new StorageError('NoSuchBucket')
    },

    /** Removes what is in it by now: a portion at once, and the rest by and by. */
    async empty(holder: Holder | undefined, id: string): Promise<void> {
      mustAdminister(holder)
      await find(holder, id)
      const before = await objects.now()
      if (await emptyPortion(id, before)) {
        await enqueue(db, EMPTY_TASK, { bucket: id, before }, { key: `${EMPTY_TASK}:${id}` })
      }
    },

    async delete(holder: Holder | undefined, id: string): Promise<void> {
      mustAdminister(holder)
      const result = await store.delete(id)
      if (result === 'missing') throw new StorageError('NoSuchBucket')
      if (result === 'not_empty') throw new StorageError('ResourceNotEmpty')
    },
  }
}
