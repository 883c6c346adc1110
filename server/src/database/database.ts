import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { currentRequest } from '../base/request-context.ts'
import type { Pooler } from './pooler.ts'
import {
  preparedClient,
  UnpreparedClient,
  type WatchStatement,
  watchedClient,
} from './prepared-client.ts'
import type { DB } from './schema.gen.ts'
import { createSockets, type Sockets } from './sockets.ts'

export type Database = Kysely<DB>

export type DatabaseConnection = {
  /** The address without a pooler: for what needs a connection of its own. */
  url: string
  db: Database
  pool: pg.Pool
  /** Those of the pool, and of what else connects to the same database. */
  sockets: Sockets
  close(): Promise<void>
}

/**
 * PostgreSQL's text of a `timestamptz` in UTC as ISO 8601: `2026-11-21 07:19:35.09+00` becomes
 * `2026-11-21T07:19:35.090Z`. Text to text, because a page of orders has forty of them and making
 * Date objects only to print them again costs a third of its time.
 */
export function isoTime(text: string): string {
  // As PostgreSQL writes most of them: with microseconds, or at least milliseconds.
  if (text.length >= 26) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  const fraction = text.slice(20, text.length - 3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return isoTime
    // Dates stay text (`yyyy-MM-dd`): a Date would depend on the time zone.
    if (oid === pg.types.builtins.DATE && format !== 'binary') return (text: string) => text
    const parser: unknown = pg.types.getTypeParser(oid, format)
    return parser
  },
}

/**
 * Limits of a pool for a silent failure of the network, in which PostgreSQL's own time limit (below) cannot reach this
 * process.
 */
export const silentFailure = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: 90_000,
}

/**
 * Opens a connection pool. Times (see `isoTime`), dates and bigint are read as text, as in the generated types.
 *
 * @param options.pooler where the pool connects to instead of `url`
 */
export function connectDatabase(
  url: string,
  options: {
    max?: number
    pooler?: Pooler | undefined
    watch?: WatchStatement | undefined
  } = {},
): DatabaseConnection {
  const { pooler, max = 10, watch } = options
  const Client = (pooler?.keepsStatements ?? true) ? preparedClient() : UnpreparedClient
  const sockets = createSockets()
  const pool = new pg.Pool({
    // @ts-expect-error its query() is narrower than the dozen overloads that pg declares
    Client: watch ? watchedClient(Client, watch) : Client,
    ...(pooler ? { connectionString: pooler.url } : withSettings(url)),
    max,
    idleTimeoutMillis: 30_000,
    ...silentFailure,
    stream: sockets.create,
    types,
  })
  // The pool replaces connections that break while idle; an 'error' event without a listener would end the process.
  pool.on('error', () => {})
  // A pooler would keep the setting for other processes.
  const limited = pooler ? pool : limitedByCaller(pool)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: limited }) })
  return { url, db, pool, sockets, close: () => sockets.closeAfter(db.destroy()) }
}

/** In milliseconds. */
const STATEMENT_LIMIT = 60_000

/** The same in a request: before its client, a proxy or the server gives the connection up. */
const REQUEST_STATEMENT_LIMIT = 15_000

/** The pool with statements that are cancelled sooner in a request, which then has an answer, than in a job. */
function limitedByCaller(pool: pg.Pool) {
  const limits = new WeakMap<pg.PoolClient, number>()
  return {
    async connect() {
      const limit = currentRequest() ? REQUEST_STATEMENT_LIMIT : STATEMENT_LIMIT
      const client = await pool.connect()
      if ((limits.get(client) ?? STATEMENT_LIMIT) === limit) return client
      try {
        await client.query(`set statement_timeout = ${limit}`)
      } catch (error) {
        client.release(true)
        throw error
      }
      limits.set(client, limit)
      return client
    },
    end: () => pool.end(),
  }
}

/** Kysely over one connection, in the transaction that it is in. Nothing has to be closed. */
export function databaseOver(client: pg.Client): Database {
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => ({ query: client.query.bind(client), release() {} }),
        end: async () => {},
      },
    }),
  })
}

/**
 * Settings of the connections. `isoTime` relies on UTC; a hanging statement must not hold a connection for ever. pg would use
 * the `options` of the URL instead of these, so the two are merged.
 */
function withSettings(url: string): { connectionString: string; options: string } {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  address.searchParams.delete('options')
  const options = `${given} -c TimeZone=UTC -c statement_timeout=${STATEMENT_LIMIT}`.trim()
  return { connectionString: address.href, options }
}
