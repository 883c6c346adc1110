import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import pg from 'pg'
import { ANNOUNCEMENTS, createEventLog, type EventLogTiming, eventLogTiming } from './event-log.ts'

/**
 * What transactions tell all processes, by either way of `event-log.ts`: at least once, and those of a pharmacy in the order
 * in which their transactions were committed, where one has waited for the other.
 */
export type Events = {
  /**
   * Listens to the events of a channel, from all processes including this one.
   * @returns a function that stops listening
   */
  on(channel: string, listener: (payload: string) => void): () => void
  /** Resolves when all channels requested so far are being listened to. */
  ready(): Promise<void>
  /** Runs the listener after a reconnection to the database, because events may have been missed. */
  onMissed(listener: () => void): () => void
  /** Milliseconds since the connection was found to be broken; 0 while it is connected. */
  disconnectedMs(): number
  /** Tells all processes. @param payload 7,900 bytes at most: PostgreSQL's limit is 8,000 */
  notify(channel: string, payload: string): Promise<void>
  close(): Promise<void>
}

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Milliseconds between two attempts to reconnect, and between two checks of the connection. */
const RETRY_MS = 500
const ALIVE_MS = 15_000

/**
 * Events over one dedicated connection per process, which is re-established when it breaks. All processes receive what one
 * process commits, and follow the database from one way to the other.
 */
export async function createEvents(
  url: string,
  pool: pg.Pool,
  log: Log,
  {
    timing = eventLogTiming,
    name = 'bancone events',
  }: { timing?: EventLogTiming; name?: string | undefined } = {},
): Promise<Events> {
  const listeners = new Map<string, Set<(payload: string) => void>>()
  const missed = new Set<() => void>()
  const stopping = new AbortController()
  const { signal } = stopping
  let listening = Promise.resolve()
  let brokeAt: number | undefined
  const statements = new PQueue({ concurrency: 1 })
  const eventLog = createEventLog(
    query,
    deliver,
    () => {
      for (const listener of missed) safely(listener)
    },
    timing,
  )
  let line = await connect()
  await eventLog.read()
  eventLog.start()
  let looking = lookAfter(line)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      application_name: name,
    })
    // Failures are handled on 'end'; an 'error' event without a listener would end the process.
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel !== ANNOUNCEMENTS) deliver(channel, payload)
      // A reading that fails is made up for by the next one, or when the connection is back.
      else eventLog.announced(payload).catch(() => {})
    })
    try {
      await client.connect()
      for (const channel of [...listeners.keys(), ANNOUNCEMENTS]) {
        await client.query(listenTo(channel))
      }
      return client
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  /** One after the other, as the driver wants it. */
  function query<R extends pg.QueryResultRow>(text: string, values?: unknown[]) {
    return statements.add(() => line.query<R>(text, values))
  }

  function deliver(channel: string, payload: string) {
    for (const listener of listeners.get(channel) ?? []) safely(() => listener(payload))
  }

  /** An exception in one listener does not affect the others. */
  function safely(work: () => void) {
    try {
      work()
    } catch (error) {
      log.error({ err: error }, 'an event could not be dealt with')
    }
  }

  /**
   * Watches the connection until it breaks. A silent connection is checked, since it may be broken unnoticed, by reading the
   * log, which needs no leader.
   */
  async function lookAfter(client: pg.Client): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = () => {
        clearInterval(looks)
        signal.removeEventListener('abort', over)
        resolve()
      }
      const look = () => void eventLog.read().catch(over)
      const looks = setInterval(look, ALIVE_MS).unref()
      client.once('end', over)
      signal.addEventListener('abort', over)
    })
    if (signal.aborted) return
    brokeAt = performance.now()
    eventLog.broken()
    void client.end().catch(() => {})
    log.warn({}, 'the line for events broke')
    looking = restore()
  }

  async function restore(): Promise<void> {
    while (!signal.aborted) {
      try {
        line = await connect()
        if (signal.aborted) return
        // Again, for the channels requested while the connection was being made.
        for (const channel of listeners.keys()) await query(listenTo(channel))
        log.info({}, 'the line for events is back')
        await eventLog.read()
        brokeAt = undefined
        looking = lookAfter(line)
        return
      } catch {
        void line.end().catch(() => {})
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
        // A connection that fails here is re-established with all channels.
        listening = query(listenTo(channel)).then(
          () => {},
          () => {},
        )
      }
      return () => known.delete(listener)
    },
    ready: () => listening,
    onMissed(listener) {
      missed.add(listener)
      return () => missed.delete(listener)
    },
    disconnectedMs: () => (brokeAt === undefined ? 0 : performance.now() - brokeAt),
    async notify(channel, payload) {
      await pool.query('select notify_event(null, $1, $2)', [channel, payload])
    },
    async close() {
      await eventLog.stop().catch(() => {})
      stopping.abort()
      await looking
      await line.end().catch(() => {})
    },
  }
}

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`
