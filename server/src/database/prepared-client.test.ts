import { setTimeout as pause } from 'node:timers/promises'
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

it('a client whose statements are answered is kept, however long it is used', async () => {
  const { url } = await testDatabase()
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    // @ts-expect-error its query() takes the arguments of all overloads that pg declares
    Client: PooledClient,
    query_timeout: 2_000,
  })
  onTestFinished(() => pool.end())
  const pid = async () => {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid
  }
  const first = await pid()
  // Longer than the limit together, and idle for longer than it.
  for (let n = 0; n < 4; n += 1) await pool.query('select pg_sleep(0.6)')
  await pause(2_200)
  expect(await pid()).toBe(first)
})
