import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { testDatabase } from '../../test/database.ts'
import { isDatabaseUnavailable } from './errors.ts'
import { PooledClient } from './prepared-client.ts'

it('a client that got no answer in time is not handed out again', async () => {
  const { url } = await testDatabase()
  const line = await breakableConnection(url)
  const pool = new pg.Pool({
    connectionString: line.url,
    max: 1,
    // @ts-expect-error its query() takes the arguments of all overloads that pg declares
    Client: PooledClient,
    query_timeout: 500,
  })
  onTestFinished(() => pool.end())
  // Released without the error, as Kysely does.
  const ask = async () => {
    const client = await pool.connect()
    try {
      return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
    } finally {
      client.release()
    }
  }
  const first = await ask()
  line.freeze(true)
  const failure: unknown = await ask().catch((error: unknown) => error)
  expect([failure, isDatabaseUnavailable(failure)]).toEqual([new Error('Query read timeout'), true])
  line.freeze(false)
  expect(await ask()).not.toBe(first)
})

it('a database that accepts connections and does not answer counts as unavailable', async () => {
  const line = await breakableConnection((await testDatabase()).url)
  line.freeze(true)
  const client = new pg.Client({ connectionString: line.url, connectionTimeoutMillis: 200 })
  client.on('error', () => {})
  const failure: unknown = await client.connect().catch((error: unknown) => error)
  expect([failure, isDatabaseUnavailable(failure)]).toEqual([new Error('timeout expired'), true])
})
