import { createKeyedBatches } from '../../platform/batches.ts'
import type { PageViewsStore } from './page-views.store.ts'

/** Rows that are folded in one transaction. */
const ROWS = 5_000

/** Milliseconds between two runs, more or less: so that processes which start together do not fold together. */
const EVERY_MS = 60_000
const JITTER_MS = 15_000

type Dependencies = {
  store: Pick<PageViewsStore, 'fold'>
  log: { warn(details: object, message: string): void }
}

/** Adds what has been recorded to the figures, each minute and on demand. */
export function createFolding({ store, log }: Dependencies) {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  // Callers during a run share the next one, because the run may have missed what they wait for.
  const runs = createKeyedBatches(async () => {
    while (!closing.signal.aborted && (await store.fold(ROWS)) > 0);
  })
  const fold = () => runs.add('')

  function schedule(): void {
    timer = setTimeout(
      () =>
        void fold()
          .catch((error: unknown) => log.warn({ err: error }, 'the figures could not be updated'))
          .finally(() => (closing.signal.aborted ? undefined : schedule())),
      EVERY_MS + (Math.random() * 2 - 1) * JITTER_MS,
    ).unref()
  }

  return {
    /** Resolves when all that was recorded before is in the figures. */
    fold,

    start: schedule,

    async close(): Promise<void> {
      closing.abort()
      clearTimeout(timer)
      await runs.idle()
    },
  }
}
