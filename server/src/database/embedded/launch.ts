import { setTimeout as sleep } from 'node:timers/promises'
import { lastMeaningfulLine, readLogFrom } from './postgres-log.ts'
import { type Ground, type Postmaster, spawnPostmaster, untilReady } from './postmaster.ts'

/** PostgreSQL ended before it served; `cause` is what can be done about it. */
export type Failure = { cause: 'in-use' | 'port' | 'other'; line: string }

export type Launched = { postmaster: Postmaster } | { failure: Failure }

type Attempt = {
  port: number
  /** The process that a leftover lock file names, when it has ended and keeps its number. */
  defunct?: number | undefined
  signal?: AbortSignal
  /** Told at once, so that it can be stopped before it is ready. */
  onSpawn?: (postmaster: Postmaster) => void
}

const LINGERING_MS = 20_000

/**
 * Starts PostgreSQL and waits until it serves. Children of one that was killed may hold its shared
 * memory for a moment longer; they are waited for.
 */
export async function launch(ground: Ground, attempt: Attempt): Promise<Launched> {
  const deadline = Date.now() + LINGERING_MS
  for (;;) {
    const { dataDir } = ground.place
    const added = await readLogFrom(dataDir)
    if (attempt.signal?.aborted) return { failure: { cause: 'other', line: 'stopped' } }
    const postmaster = spawnPostmaster(ground, attempt.port, attempt.defunct)
    attempt.onSpawn?.(postmaster)
    if (await untilReady(postmaster, ground)) return { postmaster }
    const how = await postmaster.exited
    const text = await added.text()
    const line = text ? lastMeaningfulLine(text, postmaster.pid) : how
    const lingers = /pre-existing shared memory block/.test(line)
    if (!lingers || Date.now() > deadline) return { failure: { cause: causeOf(line), line } }
    await sleep(200)
  }
}

function causeOf(line: string): Failure['cause'] {
  if (/lock file .* (already exists|is empty)|pre-existing shared memory/.test(line))
    return 'in-use'
  if (/could not (bind|create any TCP\/IP sockets)|Address already in use/.test(line)) return 'port'
  return 'other'
}
