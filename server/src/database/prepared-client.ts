import pg from 'pg'

/** Further statements of a pool are not prepared. The application has far fewer. */
const MAX_STATEMENTS = 500

class PooledClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // When a connection breaks during a query, the query fails and the pool drops the client. An 'error' event
    // without a listener would end the process.
    this.on('error', () => {})
  }
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
    // @ts-expect-error pg declares a dozen overloads; Kysely uses the one with text and values.
    override query(text: unknown, values?: unknown, callback?: unknown): unknown {
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      const query: unknown = name === undefined ? text : { name, text, values }
      const rest = name === undefined ? [values, callback] : [callback]
      // @ts-expect-error see above
      return super.query(query, ...rest)
    }
  }
}

type PoolClient = ReturnType<typeof preparedClient>

/** A client that prepares nothing, also where a library names its statements: for a pooler that does not keep them. */
export class UnpreparedClient extends PooledClient {
  // @ts-expect-error see above
  override query(config: unknown, ...rest: unknown[]): unknown {
    const isNamed = typeof config === 'object' && config !== null && 'name' in config
    // @ts-expect-error see above
    return super.query(isNamed ? { ...config, name: undefined } : config, ...rest)
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
