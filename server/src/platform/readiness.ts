import { writeFile } from 'node:fs/promises'
import { createCache } from './cache.ts'
import type { EventsEcho } from './events-echo.ts'
import type { CreateRateLimits } from './rate-limits.ts'
import type { TemporaryFiles } from './temporary-files.ts'

/** Milliseconds for which a check is valid, however often a proxy asks. */
const VALID_MS = 5_000

const filler = Buffer.alloc(65_536)

/**
 * Checks whether requests can be handled: whether the database and the data folder can be written, and whether this process
 * hears the events of the others. Without them its pages would show what is over.
 *
 * @returns a function that resolves with true, and rejects with the reason if not
 */
export function createReadiness(
  createLimits: CreateRateLimits,
  temporaryFiles: TemporaryFiles,
  echo: EventsEcho,
): () => Promise<true> {
  const cache = createCache<true>({ max: 1, ttlMs: VALID_MS })
  // Counting is the smallest write that the server makes. Nothing is limited.
  const limits = createLimits({ readiness: { points: 1_000_000, seconds: 60 } })

  async function check(): Promise<true> {
    await limits.take({ limit: 'readiness', subject: '' })
    await using file = await temporaryFiles.create()
    await writeFile(file.path, filler, { flag: 'wx', mode: 0o600 })
    await echo()
    return true
  }

  return async () => cache.get('') ?? cache.load('', check)
}
