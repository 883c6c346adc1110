import pg from 'pg'
import { currentRequest } from '../base/request-context.ts'
import { READ_TIMEOUT } from './errors.ts'

/** Further statements of a pool are not prepared. The application has far fewer. */
const MAX_STATEMENTS = 500

/**
 * A request waits no longer for a statement, in milliseconds. Its `statement_timeout` comes first, except behind a pooler,
 * where it is longer, and for a commit that waits for a standby, which it does not limit.
 */
const REQUEST_READ_MS = 20_000

/**
 * Statements that get no answer fail, and end their client: the pool does not hand out one that still waits. The limit is
 * `query_timeout`. pg's own timers have closures that keep every result until the next major garbage collection, which is
 * why there is one timer for each client.
 */
export class PooledClient extends pg.Client {
  readonly #readMs: number
  #timer: NodeJS.Timeout | undefined

  constructor({ query_timeout = 0, ...config }: pg.ClientConfig = {}) {
    super(config)
    this.#readMs = query_timeout
    // When a connection breaks during a query, the query fails and the pool drops the client. An 'error' event
    // without a listener would end the process.
    this.on('error', () => {})
    // 'drain': nothing waits for an answer.
    for (const event of ['drain', 'end'] as const) this.on(event, () => clearTimeout(this.#timer))
  }

  // @ts-expect-error pg declares a dozen overloads; these are theirs together.
  override query(text: unknown, ...rest: unknown[]): unknown {
    clearTimeout(this.#timer)
    const limit = currentRequest() ? Math.min(REQUEST_READ_MS, this.#readMs) : this.#readMs
    if (limit > 0 && !isSubmittable(text)) this.#timer = this.#failAfter(limit)
    // @ts-expect-error see above
    return super.query(text, ...rest)
  }

  #failAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.connection.stream.destroy(new Error(READ_TIMEOUT)), ms).unref()
  }
}

/** Whether it is one of the classes that send statements by themselves, such as the streams of COPY. */
function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query
}

/** Whether it is a statement with settings. */
function isConfig(query: unknown): query is pg.QueryConfig {
  return typeof query === 'object' && query !== null && !isSubmittable(query)
}

/**
 * The class of the clients of one pool, which prepare each statement once per connection. PostgreSQL takes longer to plan
 * the query of a page of orders than to execute it.
 */
export function preparedClient() {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    let name = names.get(text)
    if (name === undefined && names.size < MAX_STATEMENTS) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name
  }

  return class PreparedClient extends PooledClient {
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      return typeof text === 'string' && Array.isArray(values)
        ? super.query({ name: nameOf(text), text, values }, callback)
        : super.query(text, values, callback)
    }
  }
}

type PoolClient = ReturnType<typeof preparedClient>

/** A client that prepares nothing, also where a library names its statements: for a pooler that does not keep them. */
export class UnpreparedClient extends PooledClient {
  override query(text: unknown, values?: unknown, callback?: unknown): unknown {
    if (isConfig(text)) return super.query({ ...text, name: undefined }, values, callback)
    return typeof text === 'string' && Array.isArray(values)
      ? super.query({ text, values }, callback)
      : super.query(text, values, callback)
  }
}

/** Called when a statement begins, with its text; what it returns is called when the statement has ended. */
export type WatchStatement = (text: string) => (error?: unknown) => void

/** A client whose statements are watched. The watcher never sees their values. */
export function watchedClient(Client: PoolClient, watch: WatchStatement): PoolClient {
  return class WatchedClient extends Client {
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      if (typeof text !== 'string') return super.query(text, values, callback)
      const ended = watch(text)
      if (isCallback(callback)) {
        const done: Callback = (error, result) => {
          ended(error ?? undefined)
          callback(error, result)
        }
        return super.query(text, values, done)
      }
      const result = super.query(text, values)
      if (result instanceof Promise) result.then(() => ended(), ended)
      return result
    }
  }
}

type Callback = (error: unknown, result: unknown) => void

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}
