import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createCache } from './cache.ts'
import type { Events } from './events.ts'
import type { CreateRateLimits } from './rate-limits.ts'
import type { TemporaryFiles } from './temporary-files.ts'
import type { WorkerActivity } from './worker-activity.ts'

/** Milliseconds for which a check is valid, however often probes and scrapes ask. */
const VALID_MS = 5_000

/** Milliseconds after which the events count as unheard. */
const TIME_LIMIT_MS = 3_000

/** Milliseconds without a question for a job after which the workers count as dead. */
const DEAD_WORKERS_MS = 60_000

/** Seconds from a notification of this process until it heard it itself. Rejects when it did not hear it in time. */
type EventsEcho = () => Promise<number>

/**
 * Measures whether this process hears the notifications of the database: it notifies itself, on a channel of its own, so
 * that no other process is sent anything.
 */
export function createEventsEcho(
  events: Pick<Events, 'on' | 'notify' | 'disconnectedMs'>,
  timeLimitMs = TIME_LIMIT_MS,
): EventsEcho {
  const channel = `echo_${randomBytes(8).toString('hex')}`
  const waiting = new Map<string, () => void>()
  const cache = createCache<number>({ max: 1, ttlMs: VALID_MS })
  let sent = 0
  events.on(channel, (payload) => waiting.get(payload)?.())

  async function measure(): Promise<number> {
    if (events.disconnectedMs() > 0) throw new Error('the connection for events is broken')
    sent += 1
    const payload = String(sent)
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<void>((resolve, reject) => {
      waiting.set(payload, resolve)
      timer = setTimeout(
        () => reject(new Error(`the events were not heard in ${timeLimitMs} ms`)),
        timeLimitMs,
      )
    })
    try {
      await Promise.all([heard, events.notify(channel, payload)])
      return (performance.now() - startedAt) / 1_000
    } finally {
      clearTimeout(timer)
      waiting.delete(payload)
    }
  }

  return async () => cache.get('') ?? cache.load('', measure)
}

const filler = Buffer.alloc(65_536)

/**
 * Checks whether requests can be handled: whether the database and the data folder can be written, whether this process
 * hears the events of the others, without which its pages would show what is over, and whether its workers take jobs.
 *
 * @returns a function that resolves with true, and rejects with the reason if not
 */
export function createReadiness(
  createLimits: CreateRateLimits,
  temporaryFiles: TemporaryFiles,
  echo: EventsEcho,
  workers: Pick<WorkerActivity, 'silentMs'>,
): () => Promise<true> {
  const cache = createCache<true>({ max: 1, ttlMs: VALID_MS })
  // Counting is the smallest write that the server makes. Nothing is limited.
  const limits = createLimits({ readiness: { points: 1_000_000, seconds: 60 } })

  async function check(): Promise<true> {
    await limits.take({ limit: 'readiness', subject: '' })
    await using file = await temporaryFiles.create()
    await writeFile(file.path, filler, { flag: 'wx', mode: 0o600 })
    await echo()
    if (workers.silentMs() > DEAD_WORKERS_MS) throw new Error('workers do not ask for jobs')
    return true
  }

  return async () => cache.get('') ?? cache.load('', check)
}
