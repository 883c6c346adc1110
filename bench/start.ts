import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './compare.ts'
import type { BenchDatabase } from './database.ts'
import { median } from './load.ts'
import { startProcess } from './server-process.ts'

const STARTS = 5
const GOAL_MS = 1_000

/** How long `npm start` takes until it answers, with everything built and the demo there. */
export async function benchStart(_database: BenchDatabase, { say, missed }: Report): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-start-'))
  const taken: number[] = []
  const processor: number[] = []
  try {
    for (let start = 0; start <= STARTS; start += 1) {
      const begun = performance.now()
      const served = await startProcess(['scripts/start.mjs'], 3917, { DATA_DIR: dataDir })
      // The first makes the database and the demo.
      if (start > 0) {
        taken.push(performance.now() - begun)
        processor.push((await served.processor()) * 1_000)
      }
      await served.stop()
    }
    const ms = median(taken)
    if (ms > GOAL_MS) missed.push('start')
    say(
      `Second start: ${ms.toFixed(0)} ms, median of ${STARTS} (${Math.min(...taken).toFixed(0)} to ` +
        `${Math.max(...taken).toFixed(0)}), ${median(processor).toFixed(0)} ms of processor time of the ` +
        `server (goal: at most ${GOAL_MS} ms)`,
    )
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
