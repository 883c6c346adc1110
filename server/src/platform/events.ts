import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import pg from 'pg'
import { isReadTimeout } from '../database/errors.ts'
import { createSockets } from '../database/sockets.ts'
import type { Log } from '../ports/log.ts'

type Listener = (payload: string) => unknown

/** What transactions tell all processes by PostgreSQL's `NOTIFY`: in the order in which they are committed. */
export type Events = {
  /**
   * Listens to the events of a channel, from all processes including this one.
   * @returns a function that stops listening
   */
  on(channel: string, listener: Listener): () => void
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

/** Milliseconds between two attempts to reconnect. */
const RETRY_MS = 500

/** Milliseconds between two checks of the connection, and until one that has no answer has failed. */
const CHECKS = { everyMs: 5_000, limitMs: 10_000 }

type Options = {
  name?: string | undefined
  /** Called when the connection exists and has no answer: other connections of the process are dead as well. */
  onSilent?: () => void
  checks?: { everyMs: number; limitMs: number }
}

/** Events over one dedicated connection per process, which is re-established when it breaks. */
export async function createEvents(
  url: string,
  pool: pg.Pool,
  log: Log,
  { name = 'bancone events', onSilent = () => {}, checks = CHECKS }: Options = {},
): Promise<Events> {
  const listeners = new Map<string, Set<Listener>>()
  const missed = new Set<() => void>()
  const sockets = createSockets()
  const stopping = new AbortController()
  const { signal } = stopping
  let listening = Promise.resolve()
  let brokeAt: number | undefined
  const statements = new PQueue({ concurrency: 1 })
  let connection = await connect()
  let monitoring = monitor(connection)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: checks.limitMs,
      keepAlive: true,
      stream: sockets.create,
      application_name: name,
    })
    // Failures are handled on 'end'; an 'error' event without a listener would end the process.
    client.on('error', () => {})
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of listeners.get(channel) ?? []) void safely(() => listener(payload))
    })
    try {
      await client.connect()
      for (const channel of listeners.keys()) await client.query(listenTo(channel))
      return client
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  /** One after the other, as the driver wants it. */
  function query(text: string) {
    return statements.add(() => connection.query(text))
  }

  /** An exception in one listener does not affect the others. */
  async function safely(work: () => unknown) {
    try {
      await work()
    } catch (error) {
      log.error({ err: error }, 'an event could not be dealt with')
    }
  }

  /** Waits until the connection breaks. A silent one is checked, since it may be broken unnoticed. */
  async function monitor(client: pg.Client): Promise<void> {
    await new Promise<void>((resolve) => {
      const over = () => {
        clearInterval(timer)
        signal.removeEventListener('abort', over)
        resolve()
      }
      const check = () =>
        query('select 1').catch((error: unknown) => {
          if (isReadTimeout(error) && !signal.aborted) onSilent()
          over()
        })
      const timer = setInterval(() => void check(), checks.everyMs).unref()
      client.once('end', over)
      signal.addEventListener('abort', over)
    })
    if (signal.aborted) return
    brokeAt = performance.now()
    void client.end().catch(() => {})
    log.warn({}, 'the connection for events broke')
    monitoring = reconnect()
  }

  async function reconnect(): Promise<void> {
    while (!signal.aborted) {
      try {
        connection = await connect()
        if (signal.aborted) return
        // Again, for the channels requested while the connection was being made.
        for (const channel of listeners.keys()) await query(listenTo(channel))
        log.info({}, 'the connection for events is back')
        brokeAt = undefined
        for (const listener of missed) void safely(listener)
        monitoring = monitor(connection)
        return
      } catch {
        void connection.end().catch(() => {})
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
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    async close() {
      stopping.abort()
      await monitoring
      await sockets.closeAfter(connection.end().catch(() => {}))
    },
  }
}

const listenTo = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`
