import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createPushKeys } from './push-keys.store.ts'

const secret = 'a secret of the tests, long enough for them'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(() => database.pool.query('delete from push_keys'))

/** As a process of its own would have them. */
const newKeys = (appSecret = secret) => createPushKeys(database.db, createSecrets(appSecret))

describe('the push keys', () => {
  it('are one pair for all processes, whichever is the first', async () => {
    const processes = Array.from({ length: 5 }, () => newKeys())
    const loaded = await Promise.all(processes.map((keys) => keys.load()))
    expect(new Set(loaded.map((keys) => JSON.stringify(keys))).size).toBe(1)
    expect(await newKeys().load()).toEqual(loaded[0])
    expect(Buffer.from(loaded[0]?.publicKey ?? '', 'base64url')).toHaveLength(65)
  })

  it('are kept with the private half encrypted', async () => {
    const { privateKey } = await newKeys().load()
    const { rows } = await database.pool.query<{ all: string }>(
      "select push_keys::text || encode(private_key, 'escape') as all from push_keys",
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.all).not.toContain(privateKey)
  })

  it('say so when APP_SECRET is another one, and go on when it is mended', async () => {
    const made = await newKeys().load()
    const other = newKeys('another secret, which is long enough too')
    await expect(other.load()).rejects.toThrow('were made with another APP_SECRET')
    expect(await newKeys().load()).toEqual(made)
  })
})
