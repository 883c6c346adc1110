import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Events = {
  /**
   * Hears what any process says on a channel, itself included.
   * @returns how to stop listening
   */
  on(channel: string, listener: (payload: string) => void): () => void
  /** Everything asked for so far is heard from now on. */
  ready(): Promise<void>
  /** Runs when the line to the database is back after it broke: events may have been missed. */
  onMissed(listener: () => void): () => void
  /** For how many milliseconds the line has been known to be broken; 0 while it is there. */
  deafFor(): number
  /** Says something to all processes. @param payload 7,900 bytes at most: PostgreSQL's bound is 8,000 */
  notify(channel: string, payload: string): Promise<void>
  close(): Promise<void>
}

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Milliseconds between two attempts to get the line back, and between two looks whether it is there. */
const RETRY_MS = 500
const ALIVE_MS = 15_000

/**
 * PostgreSQL's LISTEN and NOTIFY for the whole process, over one connection of its own: what one process
 * commits, all hear. A line that breaks is made anew.
 */
export async function createEvents(url: string, pool: pg.Pool, log: Log): Promise<Events> {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  const missed = new Set<() => void>()
  const stopping = new AbortController()
  const { signal } = stopping
  let listening = Promise.resolve()
  let brokeAt: number | undefined
  let line = await connect()
  let looking = lookAfter(line)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      application_name: 'bancone events',
    })
    // Its end is what tells; an error without a listener would end the process.
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) safely(() => listener(payload))
    })
    try {
      await client.connect()
      for (const channel of listeners.keys()) await listen(client, channel)
      return client
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  /** One listener's mistake is not the others' loss. */
  function safely(work: () => void) {
    try {
      work()
    } catch (error) {
      log.error({ err: error }, 'an event could not be dealt with')
    }
  }

  /** Until it breaks; a line that says nothing may be broken without knowing. */
  async function lookAfter(client: pg.Client): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = () => {
        clearInterval(looks)
        signal.removeEventListener('abort', over)
        resolve()
      }
      const look = () => void client.query('select 1').catch(over)
      const looks = setInterval(look, ALIVE_MS).unref()
      client.once('end', over)
      signal.addEventListener('abort', over)
    })
    if (signal.aborted) return
    brokeAt = performance.now()
    void client.end().catch(() => {})
    log.warn({}, 'the line for events broke')
    looking = restore()
  }

  async function restore(): Promise<void> {
    while (!signal.aborted) {
      try {
        line = await connect()
        if (signal.aborted) return
        // Again, for the channels that were asked for while it was being made.
        for (const channel of listeners.keys()) await listen(line, channel)
        log.info({}, 'the line for events is back')
        for (const listener of missed) safely(listener)
        brokeAt = undefined
        looking = lookAfter(line)
        return
      } catch {
        await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    on(channel, listener) {
      const known = listeners.get(channel) ?? new Set()
      known.add(listener)
      if (!listeners.has(channel)) {
        listeners.set(channel, known)
        // A line that fails here is made anew, with every channel.
        listening = listening.then(() => listen(line, channel)).catch(() => {})
      }
      return () => known.delete(listener)
    },
    ready: () => listening,
    onMissed(listener) {
      missed.add(listener)
      return () => missed.delete(listener)
    },
    deafFor: () => (brokeAt === undefined ? 0 : performance.now() - brokeAt),
    async notify(channel, payload) {
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    async close() {
      stopping.abort()
      await looking
      await line.end().catch(() => {})
    },
  }
}

async function listen(client: pg.Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
}
