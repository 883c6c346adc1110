import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { VerificationResult } from '@bancone/contract/migration-results'
import type { FileStore } from '../../../ports/file-store.ts'
import type { MigrationComparisonStore } from './migration-comparison.store.ts'
import type { Item, MigrationItemsStore } from './migration-items.store.ts'
import type { ClaimedRun } from './migration-work.store.ts'

type Dependencies = {
  store: Pick<MigrationComparisonStore, 'pictures'>
  items: Pick<MigrationItemsStore, 'put' | 'remove'>
  files: Pick<FileStore, 'open'>
}

/** Checks the stored copies of attachments by their length and their SHA-256, which is the end of their key. */
export function createPictureCheck({ store, items, files }: Dependencies) {
  async function check(
    key: string,
    bytes: number,
  ): Promise<'picture_missing' | 'picture_damaged' | null> {
    const file = await files.open(key)
    if (!file) return 'picture_missing'
    const hash = createHash('sha256')
    let length = 0
    await pipeline(file.stream, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        length += chunk.length
        hash.update(chunk)
      }
    })
    const isWhole = length === bytes && key.endsWith(`/${hash.digest('hex')}`)
    return isWhole ? null : 'picture_damaged'
  }

  return async (run: ClaimedRun, signal: AbortSignal): Promise<VerificationResult['pictures']> => {
    await items.remove(run, ['picture'])
    const result = { checked: 0, missing: 0, waiting: 0, refused: 0 }
    for await (const picture of store.pictures(run.pharmacyId)) {
      signal.throwIfAborted()
      let problem: Awaited<ReturnType<typeof check>> = null
      for (const { key, bytes } of picture.files) {
        problem ??= await check(key, bytes)
        result.checked += 1
      }
      if (problem) result.missing += 1
      if (picture.state === 'waiting') result.waiting += 1
      if (picture.state === 'refused') result.refused += 1
      const reason = problem ?? (picture.state === 'refused' ? 'picture_refused' : null)
      if (!reason) continue
      const item: Item = {
        recordId: picture.record_id,
        orderNumber: picture.order_number,
        kind: 'picture',
        columns: ['Image'],
        reason,
      }
      await items.put(run, [item])
    }
    return result
  }
}
