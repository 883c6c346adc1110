import { describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createPushKeysStore } from './push-keys.store.ts'
import { createPushKeys } from './push-keys.ts'

const secret = 'a secret of the tests, long enough for them'

/** As a process of its own would have them. */
function keysOf({ db }: TestDatabase, appSecret = secret) {
  return createPushKeys(createPushKeysStore(db), createSecrets(appSecret))
}

describe('the push keys', () => {
  it('are one pair for all processes, whichever is the first', async () => {
    const database = await testDatabase()
    const processes = Array.from({ length: 5 }, () => keysOf(database))
    const loaded = await Promise.all(processes.map((keys) => keys.load()))
    expect(new Set(loaded.map((keys) => JSON.stringify(keys))).size).toBe(1)
    expect(await keysOf(database).load()).toEqual(loaded[0])
    expect(Buffer.from(loaded[0]?.publicKey ?? '', 'base64url')).toHaveLength(65)
  })

  it('are kept with the private half encrypted', async () => {
    const database = await testDatabase()
    const { privateKey } = await keysOf(database).load()
    const { rows } = await database.pool.query<{ all: string }>(
      "select push_keys::text || encode(private_key, 'escape') as all from push_keys",
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.all).not.toContain(privateKey)
  })

  it('say so when APP_SECRET is another one, and go on when it is mended', async () => {
    const database = await testDatabase()
    const made = await keysOf(database).load()
    const other = keysOf(database, 'another secret, which is long enough too')
    await expect(other.load()).rejects.toThrow('were made with another APP_SECRET')
    expect(await keysOf(database).load()).toEqual(made)
  })
})
