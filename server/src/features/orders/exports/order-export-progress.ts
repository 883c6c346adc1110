import type { ServedFile } from '../../../http/serve.ts'
import type { OrderExportsStore } from './order-exports.store.ts'

type OpenedFile = Awaited<ReturnType<ServedFile['open']>>

/** Interval of the progress updates, also while the client does not read. */
const REPORT_INTERVAL_MS = 1_000

/**
 * Tracks the progress and the outcome of an export in its row. Cancelling it, in any process, aborts the download.
 *
 * @param write yields the file, and reports the number of orders in each batch
 */
export async function trackExport(
  store: Pick<OrderExportsStore, 'updateProgress' | 'finish'>,
  { pharmacyId, id }: { pharmacyId: string; id: string },
  write: (onWritten: (orders: number) => void) => OpenedFile['parts'],
): Promise<OpenedFile> {
  const cancelled = new AbortController()
  let done = 0
  let isReporting = false
  let isOver = false

  async function report(): Promise<void> {
    if (isReporting) return
    isReporting = true
    try {
      const isUnderWay = await store.updateProgress(pharmacyId, id, done)
      // False also after the end of the export.
      if (!isUnderWay && !isOver) cancelled.abort()
    } finally {
      isReporting = false
    }
  }

  async function* parts() {
    // Default for a client that disconnects.
    let state: 'done' | 'cancelled' | 'failed' = 'cancelled'
    // A temporary failure of the database is ignored here: the queries that read orders report it.
    const timer = setInterval(() => void report().catch(() => {}), REPORT_INTERVAL_MS)
    try {
      yield ''
      yield* write((orders) => {
        done += orders
      })
      isOver = true
      // Before the last chunk is delivered: a client with the complete file finds the export done.
      if (!(await store.finish(pharmacyId, id, { state: 'done', done }))) cancelled.abort()
      cancelled.signal.throwIfAborted()
      state = 'done'
    } catch (error) {
      if (!cancelled.signal.aborted) state = 'failed'
      throw error
    } finally {
      clearInterval(timer)
      if (state !== 'done') await store.finish(pharmacyId, id, { state, done })
    }
  }

  const begun = parts()
  // Starts the generator, up to its empty first chunk, so that its `finally` runs also when the client disconnects
  // before the next one.
  await begun.next()
  return { parts: begun, signal: cancelled.signal }
}
