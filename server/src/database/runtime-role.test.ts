import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { emptyDatabase, testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { runInRequest } from '../base/request-context.ts'
import { prepareDatabase } from '../start/prepare-database.ts'
import { connectDatabase } from './database.ts'
import { runtimeUrl } from './runtime-role.ts'

const key = randomBytes(32)

/** Prepares the database as that account. */
async function prepare(url: string, of = key) {
  const warnings: object[] = []
  const log = { ...silentLog, warn: (details: object) => warnings.push(details) }
  const result = await prepareDatabase(url, silentLog, (owner) => runtimeUrl(owner, url, of, log))
  return { url: result, warnings }
}

function connect(url: string): pg.Pool {
  const { pool, close } = connectDatabase(url, { max: 1 })
  onTestFinished(close)
  return pool
}

/** A new database that belongs to a new role with these attributes. @returns its address for that role */
async function databaseOf(attributes: string): Promise<string> {
  const { url } = await emptyDatabase()
  const address = new URL(url)
  address.username = `owner_${randomBytes(6).toString('hex')}`
  address.password = 'a password'
  const admin = connect(url)
  await admin.query(`create role ${address.username} login password 'a password' ${attributes}`)
  await admin.query(`alter database ${address.pathname.slice(1)} owner to ${address.username}`)
  return address.href
}

describe('the role of the running server', () => {
  it.each([
    ['runs no program', "copy (select 1) to program 'true'"],
    ['reads no file of the server', "select pg_read_file('PG_VERSION')"],
    ['makes no table', 'create table public.extra (id integer)'],
    ['changes no table', 'alter table pharmacies add extra integer'],
    ['empties no table', 'truncate audit_events'],
    [
      'replaces no function',
      'create or replace function order_phone_key(phone text) returns text return phone',
    ],
    ['makes no role', 'create role extra'],
    ['becomes no other role', 'set role bancone'],
    ['hides no migration', 'delete from schema_migrations'],
    ['changes no audit event', "update audit_events set action = 'signed_in'"],
    ['deletes no audit event', 'delete from audit_events'],
    ['dates no audit event back', "insert into audit_events (action, at) values ('x', now())"],
    ['seals no audit event itself', 'delete from audit_seals'],
    ['hides no audit event from the chain', 'delete from audit_unsealed'],
  ])('%s', async (_, statement) => {
    const database = await testDatabase()
    await expect(connect(database.runtimeUrl).query(statement)).rejects.toThrow(
      /permission|must be owner/,
    )
  })

  it('is the same for all processes, and another one with another key', async () => {
    const { url } = await testDatabase()
    const [first, again, other] = [
      await prepare(url),
      await prepare(url),
      await prepare(url, randomBytes(32)),
    ]
    expect(again).toEqual(first)
    expect(other.url).not.toBe(first.url)
    for (const { url: address, warnings } of [first, other]) {
      expect(warnings).toEqual([])
      const { rows } = await connect(address).query('select count(*)::int as count from pharmacies')
      expect(rows).toEqual([{ count: 0 }])
    }
  })

  it('is made by an account that is no superuser but may create roles', async () => {
    const url = await databaseOf('createrole')
    const { url: address, warnings } = await prepare(url)
    expect(warnings).toEqual([])
    expect(new URL(address).username).toMatch(/^test_[0-9a-f]{12}_app_[0-9a-f]{12}$/)
    await expect(connect(address).query('create table extra ()')).rejects.toThrow('permission')
  })

  it('is left out, with a warning, where the account may not create roles', async () => {
    const url = await databaseOf('')
    const warning = { reason: 'the account may not create roles' }
    expect(await prepare(url)).toEqual({ url, warnings: [warning] })
  })

  it('is not a role of the same name that another program made', async () => {
    const { url, pool } = await testDatabase()
    const made = await prepare(url)
    const { username } = new URL(made.url)
    await pool.query(`comment on role ${username} is null`)
    const warning = { reason: `the role ${username} was not made by Bancone` }
    expect(await prepare(url)).toEqual({ url, warnings: [warning] })
  })
})

it('the statements of a request are cancelled sooner than those of a job', async () => {
  const { runtimeUrl: url } = await testDatabase()
  const { db, close } = connectDatabase(url, { max: 1 })
  onTestFinished(close)
  const limit = async () => {
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)
    return rows[0]?.statement_timeout
  }
  const inRequest = () => runInRequest({ requestId: '1', address: '::1', agent: null }, limit)
  const limits = [await limit(), await inRequest(), await inRequest(), await limit()]
  expect(limits).toEqual(['1min', '15s', '15s', '1min'])
})
