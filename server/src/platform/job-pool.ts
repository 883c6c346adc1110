import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { silentFailure } from '../database/database.ts'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { PooledClient } from '../database/prepared-client.ts'
import type { Sockets } from '../database/sockets.ts'
import type { Log } from '../ports/log.ts'

/** Each lane holds one connection to listen for new jobs; its workers share the others. */
const CONNECTIONS = 12

/** Milliseconds between two attempts to connect, more or less: the workers of all processes try. */
const RETRY_MS = 1_000

type Options = { sockets: Sockets; stopping: AbortSignal; log: Log }

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: boolean | Error) => void,
) => void

/**
 * The connections of the workers. While the database is unavailable, `connect` waits: a worker of graphile-worker
 * terminates when it gets no connection to mark its job as completed, and logs each attempt to connect.
 */
export class JobPool extends pg.Pool {
  /** Resolves when workers that are being stopped wait for an unavailable database. They get no connection any more. */
  readonly abandoned: Promise<void>
  #abandon = () => {}
  readonly #options: Options
  #isUnavailable = false
  #connectedAt = 0

  constructor(url: string, options: Options) {
    super({
      connectionString: url,
      max: CONNECTIONS,
      // @ts-expect-error its query() takes the arguments of all overloads that pg declares
      Client: PooledClient,
      ...silentFailure,
      stream: options.sockets.create,
    })
    this.#options = options
    this.on('error', () => {})
    this.abandoned = new Promise((resolve) => {
      this.#abandon = resolve
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const connecting = this.#connectPatiently()
    if (!callback) return connecting
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: unknown) =>
        callback(error instanceof Error ? error : new Error(String(error)), undefined, () => {}),
    )
  }

  /** @throws what pg throws when it cannot connect for another reason */
  async #connectPatiently(): Promise<pg.PoolClient> {
    const { log, stopping } = this.#options
    for (;;) {
      const startedAt = performance.now()
      try {
        const client = await super.connect()
        if (this.#isUnavailable) log.info({}, 'the database is back, and the jobs go on')
        this.#isUnavailable = false
        this.#connectedAt = performance.now()
        return client
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        // Attempts that began in an outage may fail after it.
        if (!this.#isUnavailable && startedAt > this.#connectedAt) {
          this.#isUnavailable = true
          log.warn({ err: error }, 'the jobs wait for the database')
        }
        await pause(RETRY_MS * (0.5 + Math.random()), undefined, { signal: stopping }).catch(
          () => {},
        )
        if (stopping.aborted) {
          this.#abandon()
          // An error would be printed, with its stack, for each worker.
          return new Promise(() => {})
        }
      }
    }
  }
}
