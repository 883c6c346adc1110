import { decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { StartupError } from '../../base/startup-error.ts'
import { createSecrets } from '../secrets.ts'
import { createSigningKeysStore } from './signing-keys.store.ts'
import { loadSigningKeys, type SigningKeys } from './signing-keys.ts'

const MINUTE = 60
const HOUR = 3600

const secrets = createSecrets('a secret of the tests, long enough for them')
const named = { issuer: 'http://localhost:3000/auth/v1', audience: 'authenticated' }

const database = await testDatabase()
beforeEach(() => database.pool.query('delete from auth_signing_keys'))

const store = () => createSigningKeysStore(database.db, secrets)

/** The keys as a process loads them, with a clock of its own. */
async function aProcess(withSecrets = secrets) {
  let now = Date.now()
  let readings = 0
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'SelectQueryNode') readings++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const keys = await loadSigningKeys(db, withSecrets, named, { now: () => now })
  const kids = async () => (await keys.jwks()).keys.map((key) => key.kid)
  return {
    keys,
    kids,
    /** The number of reloads since the last call. */
    readings() {
      const since = readings
      readings = 0
      return since
    },
    /** Advances the clock of the process, not the keys. */
    wait(milliseconds: number) {
      now += milliseconds
    },
  }
}

/** Makes the keys older in the database. Processes notice after a minute. */
async function age(seconds: number): Promise<void> {
  await database.pool.query(
    `update auth_signing_keys set
      created_at = created_at - make_interval(secs => $1),
      signs_from = signs_from - make_interval(secs => $1),
      retired_at = retired_at - make_interval(secs => $1)`,
    [seconds],
  )
}

const signed = (keys: SigningKeys) => keys.sign({ sub: 'anna' })
const kidOf = (token: string) => decodeProtectedHeader(token).kid

async function isGood(keys: SigningKeys, token: string): Promise<boolean> {
  return keys.verify(token).then(
    ({ sub }) => sub === 'anna',
    () => false,
  )
}

/** A token signed with another key, under the id of an existing one. */
async function forged(header: { alg: string; kid?: string }, named_ = named): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  const key = header.alg === 'ES256' ? privateKey : new Uint8Array(32)
  return new SignJWT({ sub: 'anna' })
    .setProtectedHeader(header)
    .setIssuer(named_.issuer)
    .setAudience(named_.audience)
    .sign(key)
}

describe('the first key', () => {
  it('is made when there is none, and is the same for all', async () => {
    const one = await aProcess()
    const other = await aProcess()
    expect(await one.kids()).toHaveLength(1)
    expect(await other.kids()).toEqual(await one.kids())
    expect(await isGood(other.keys, await signed(one.keys))).toBe(true)
  })

  it('is published without its private half, and kept encrypted', async () => {
    const { keys } = await aProcess()
    const { keys: published } = await keys.jwks()
    expect(published).toMatchObject([{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }])
    expect(published[0]).not.toHaveProperty('d')
    const { rows } = await database.pool.query<{ private_jwk: Buffer }>(
      'select private_jwk from auth_signing_keys',
    )
    expect(rows.map((row) => row.private_jwk.toString('latin1')).join()).not.toContain('"d"')
  })

  it('cannot be used with another APP_SECRET', async () => {
    await aProcess()
    const others = createSecrets('another secret of the tests, long enough too')
    const opened = aProcess(others)
    await expect(opened).rejects.toBeInstanceOf(StartupError)
    await expect(opened).rejects.toThrow('APP_SECRET')
    expect(await store().published()).toHaveLength(1)
  })
})

describe('a token', () => {
  it('is ours, says whose it is, and is another each time', async () => {
    const { keys } = await aProcess()
    const token = await signed(keys)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'JWT' })
    const { iss, aud, sub, jti } = await keys.verify(token)
    expect({ issuer: iss, audience: aud, sub }).toEqual({ ...named, sub: 'anna' })
    expect((await keys.verify(await signed(keys))).jti).not.toBe(jti)
  })

  it('is worth nothing after it expired', async () => {
    const { keys } = await aProcess()
    const soon = Math.floor(Date.now() / 1000)
    await expect(
      keys.verify(await keys.sign({ sub: 'anna', exp: soon + 60 })),
    ).resolves.toBeDefined()
    await expect(keys.verify(await keys.sign({ sub: 'anna', exp: soon - 60 }))).rejects.toThrow()
  })

  it('that is forged or malformed is refused', async () => {
    const { keys, kids } = await aProcess()
    const [kid = ''] = await kids()
    const good = await signed(keys)
    const [head, body, signature] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const fakes = {
      'signed by another key': await forged({ alg: 'ES256', kid }),
      'that names no key': await forged({ alg: 'ES256' }),
      'of another algorithm': await forged({ alg: 'HS256', kid }),
      'of no algorithm': `${none}.${body}.`,
      'without a signature': `${head}.${body}.`,
      'that was changed': `${head}.${Buffer.from('{"sub":"anna"}').toString('base64url')}.${signature}`,
      'that is none': 'a.b.c',
      'that is empty': '',
    }
    for (const [what, token] of Object.entries(fakes)) {
      expect(await isGood(keys, token), what).toBe(false)
    }
    expect(await isGood(keys, good)).toBe(true)
  })

  it.each([
    ['issuer', { ...named, issuer: 'http://localhost:4000/auth/v1' }],
    ['audience', { ...named, audience: 'anon' }],
  ])('of the same key for another %s is refused', async (_what, other) => {
    const { keys } = await aProcess()
    const elsewhere = await loadSigningKeys(database.db, secrets, other, { now: Date.now })
    const token = await signed(elsewhere)
    expect(await isGood(elsewhere, token)).toBe(true)
    expect(await isGood(keys, token)).toBe(false)
  })
})

describe('a rotation in order', () => {
  it('publishes the new key, lets it sign when it is known, and then ends with the old', async () => {
    const { keys, kids, wait } = await aProcess()
    const [old] = await kids()
    const before = await signed(keys)
    const kid = await store().rotate('graceful')

    wait(60_000)
    expect(new Set(await kids())).toEqual(new Set([kid, old]))
    expect(kidOf(await signed(keys))).toBe(old)
    expect(await isGood(keys, before)).toBe(true)

    await age(14 * MINUTE)
    wait(60_000)
    const last = await signed(keys)
    expect(kidOf(last)).toBe(old)

    await age(2 * MINUTE)
    wait(60_000)
    const after = await signed(keys)
    expect(kidOf(after)).toBe(kid)
    expect(await kids()).toEqual([kid, old])
    for (const token of [before, last, after]) expect(await isGood(keys, token)).toBe(true)

    // The last token of the old key has expired by now, and one more hour has passed.
    await age(2 * HOUR - 3 * MINUTE)
    wait(60_000)
    expect(await isGood(keys, last)).toBe(true)

    await age(3 * MINUTE)
    wait(60_000)
    expect(await kids()).toEqual([kid])
    expect(await isGood(keys, last)).toBe(false)
    expect(await isGood(keys, after)).toBe(true)
  })

  it('that is asked for again meanwhile leaves one that signs at every moment', async () => {
    const { keys, kids, wait } = await aProcess()
    const [first] = await kids()
    const second = await store().rotate('graceful')
    await age(10 * MINUTE)
    const third = await store().rotate('graceful')
    const signers = []
    for (let minutes = 10; minutes <= 40; minutes += 10) {
      wait(60_000)
      signers.push(kidOf(await signed(keys)))
      await age(10 * MINUTE)
    }
    expect(signers).toEqual([first, second, third, third])
    await age(2 * HOUR)
    wait(60_000)
    expect(await kids()).toEqual([third])
  })

  it('changes nothing when the new key cannot be kept', async () => {
    const { kids } = await aProcess()
    const broken = {
      ...secrets,
      encrypt: () => {
        throw new Error('it could not be kept')
      },
    }
    for (const kind of ['graceful', 'immediate'] as const) {
      const rotation = createSigningKeysStore(database.db, broken).rotate(kind)
      await expect(rotation).rejects.toThrow('it could not be kept')
    }
    const { rows } = await database.pool.query('select kid, retired_at from auth_signing_keys')
    expect(rows).toEqual([{ kid: (await kids())[0], retired_at: null }])
  })
})

describe('a rotation at once', () => {
  it('ends with every other key, also with one that was to take over', async () => {
    const { keys, wait } = await aProcess()
    const stolen = await signed(keys)
    const next = await store().rotate('graceful')
    const kid = await store().rotate('immediate')
    expect(kid).not.toBe(next)

    const begun = await aProcess()
    expect(await begun.kids()).toEqual([kid])
    expect(kidOf(await signed(begun.keys))).toBe(kid)
    expect(await isGood(begun.keys, stolen)).toBe(false)

    // A running process has just loaded the keys, and reloads them after a minute.
    wait(59_999)
    expect(await isGood(keys, stolen)).toBe(true)
    wait(1)
    expect(await isGood(keys, stolen)).toBe(false)
    expect(kidOf(await signed(keys))).toBe(kid)
  })

  it('is known in a process that runs from the first token of the new key', async () => {
    const running = await aProcess()
    const stolen = await signed(running.keys)
    await store().rotate('immediate')
    const fresh = await signed((await aProcess()).keys)
    running.wait(5_000)
    expect(await isGood(running.keys, fresh)).toBe(true)
    expect(await isGood(running.keys, stolen)).toBe(false)
  })
})

describe('an unknown key', () => {
  it('has the keys read again, every five seconds at most', async () => {
    const { keys, wait, readings } = await aProcess()
    await store().rotate('immediate')
    const token = await signed((await aProcess()).keys)
    readings()

    wait(4_999)
    expect(await isGood(keys, token)).toBe(false)
    expect(readings()).toBe(0)
    wait(1)
    expect(await isGood(keys, token)).toBe(true)
    expect(readings()).toBe(1)
    expect(await isGood(keys, token)).toBe(true)
    expect(readings()).toBe(0)
  })

  it('that is none does not make work, however often it is tried', async () => {
    const { keys, wait, readings } = await aProcess()
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, n) => forged({ alg: 'ES256', kid: `forged ${n}` })),
    )
    const attempts = async () => {
      for (const token of tokens) expect(await isGood(keys, token)).toBe(false)
      await Promise.all(tokens.map(async (token) => isGood(keys, token)))
      return readings()
    }
    readings()
    expect(await attempts()).toBe(0)
    wait(5_000)
    expect(await attempts()).toBe(1)
    wait(4_999)
    expect(await attempts()).toBe(0)
    wait(1)
    expect(await attempts()).toBe(1)
  })

  it('is read once by many who ask at once', async () => {
    const { keys, wait, readings } = await aProcess()
    await store().rotate('immediate')
    const token = await signed((await aProcess()).keys)
    readings()
    wait(5_000)
    const asked = Array.from({ length: 20 }, () => isGood(keys, token))
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]))
    expect(readings()).toBe(1)
  })
})
