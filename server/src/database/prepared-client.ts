import pg from 'pg'

/** Beyond this many different statements the rest is sent as plain text: none of ours come near. */
const MOST = 500

const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < MOST) {
    name = `s${names.size}`
    names.set(text, name)
  }
  return name
}

/**
 * A client whose statements are prepared once a connection. Planning a page of orders takes
 * PostgreSQL longer than reading it.
 */
export class PreparedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // One that breaks while it is lent out fails its query, and the pool drops it. Nobody else
    // listens, and an 'error' without a listener would end the process.
    this.on('error', () => {})
  }

  // @ts-expect-error pg declares a dozen overloads; Kysely uses the one with text and values.
  override query(text: unknown, values?: unknown, callback?: unknown): unknown {
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
    const query: unknown = name === undefined ? text : { name, text, values }
    // @ts-expect-error the same
    return name === undefined ? super.query(query, values, callback) : super.query(query, callback)
  }
}
