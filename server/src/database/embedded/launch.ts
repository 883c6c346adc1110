import { setTimeout as sleep } from 'node:timers/promises'
import { lastMeaningfulLine, readLogFrom } from './postgres-log.ts'
import {
  type ClusterConfig,
  type Postmaster,
  spawnPostmaster,
  waitUntilReady,
} from './postmaster.ts'

/** PostgreSQL exited before it was ready. `line` is the log line with the reason. */
export type Failure = { cause: 'in-use' | 'port' | 'other'; line: string }

export type Launched = { postmaster: Postmaster } | { failure: Failure }

type Attempt = {
  port: number
  /** The pid in a stale lock file, if a process has it. */
  taken?: number | undefined
  signal?: AbortSignal
  /** Called at once, so that PostgreSQL can be stopped before it is ready. */
  onSpawn?: (postmaster: Postmaster) => void
}

const LINGERING_MS = 20_000

/**
 * Starts PostgreSQL and waits until it is ready. Child processes of a killed PostgreSQL may hold its shared memory for a
 * short time; the start is retried until they have ended.
 */
export async function launch(config: ClusterConfig, attempt: Attempt): Promise<Launched> {
  const deadline = Date.now() + LINGERING_MS
  for (;;) {
    const { dataDir } = config.location
    const added = await readLogFrom(dataDir)
    if (attempt.signal?.aborted) return { failure: { cause: 'other', line: 'stopped' } }
    const postmaster = spawnPostmaster(config, attempt.port, attempt.taken)
    attempt.onSpawn?.(postmaster)
    if (await waitUntilReady(postmaster, config)) return { postmaster }
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
