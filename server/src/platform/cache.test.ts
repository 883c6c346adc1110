import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createCache, createSingleFlight } from './cache.ts'

type Value = { n: number; owner: string }
type Options = Parameters<typeof createCache<Value | undefined>>[0]

/** A cache whose values are numbered, each loaded when the test resolves it. */
function counting(options: Partial<Options> = {}) {
  const cache = createCache<Value | undefined>({ max: 10, ...options })
  const pending: ((owner?: string) => void)[] = []
  const load = () => {
    const n = pending.length + 1
    return new Promise<Value | undefined>((resolve) => {
      pending.push((owner = 'a') => resolve(owner === '' ? undefined : { n, owner }))
    })
  }
  return {
    cache,
    pending,
    begin: (key = 'key', version?: string) => cache.load(key, load, version),
    async store(key: string, owner = 'a', version?: string) {
      const done = cache.load(key, load, version)
      pending.at(-1)?.(owner)
      await done
    },
  }
}

const byOwner: Partial<Options> = { tagsOf: (value) => (value ? [value.owner] : []) }

describe('a cached value', () => {
  it('is loaded once for concurrent callers, and returned until it is invalidated', async () => {
    const { cache, begin, pending } = counting()
    const callers = [begin(), begin()]
    expect([cache.get('key'), pending.length]).toEqual([undefined, 1])
    pending[0]?.()
    const [first, second] = await Promise.all(callers)
    expect(first).toBe(second)
    expect(cache.get('key')).toBe(first)
    expect(cache.get('other')).toBeUndefined()
    cache.invalidate()
    expect(cache.get('key')).toBeUndefined()
  })

  it('is valid for its version only', async () => {
    const { cache, begin, store, pending } = counting()
    await store('key', 'a', '1')
    expect(cache.get('key', '1')).toEqual({ n: 1, owner: 'a' })
    expect([cache.get('key', '2'), cache.get('key')]).toEqual([undefined, undefined])
    const older = begin('key', '2')
    const newer = begin('key', '3')
    expect(pending).toHaveLength(3)
    pending[1]?.()
    pending[2]?.()
    expect([(await older)?.n, (await newer)?.n]).toEqual([2, 3])
    expect([cache.get('key', '2'), cache.get('key', '3')?.n]).toEqual([undefined, 3])
  })

  it('expires', async () => {
    const { cache, store } = counting({ ttlMs: 20 })
    await store('key')
    expect(cache.get('key')).toBeDefined()
    await pause(30)
    expect(cache.get('key')).toBeUndefined()
  })

  it('is evicted when the others take its place', async () => {
    const { cache, store } = counting({ max: 3, sizeOf: (value) => value?.owner.length ?? 0 })
    for (const owner of ['a', 'bb', 'c']) await store(owner, owner)
    expect(['a', 'bb', 'c'].map((key) => cache.get(key)?.n)).toEqual([undefined, 2, 3])
  })

  it('is removed by its tags', async () => {
    const { cache, store } = counting(byOwner)
    const owners = ['a', 'b', 'a', 'a', 'b', 'a']
    for (const [index, owner] of owners.entries()) await store(`${index}`, owner)
    cache.invalidate('a')
    expect(owners.map((_, index) => cache.get(`${index}`)?.owner)).toEqual([
      undefined,
      'b',
      undefined,
      undefined,
      'b',
      undefined,
    ])
  })

  it('without tags is removed by any', async () => {
    const { cache, store } = counting()
    await store('key')
    cache.invalidate('a')
    expect(cache.get('key')).toBeUndefined()
  })
})

describe('what is not cached', () => {
  it('is undefined, has no size or failed to load', async () => {
    const { cache, store, begin, pending } = counting({ sizeOf: (value) => (value?.n ?? 1) - 1 })
    await store('empty')
    expect(cache.get('empty')).toBeUndefined()
    await store('key')
    expect(cache.get('key')).toBeDefined()
    const nothing = begin('nothing')
    pending.at(-1)?.('')
    expect([await nothing, cache.get('nothing')]).toEqual([undefined, undefined])
    const fail = () => Promise.reject(new Error('away'))
    const callers = [cache.load('x', fail), cache.load('x', fail)]
    for (const caller of callers) await expect(caller).rejects.toThrow('away')
    await store('x')
    expect(cache.get('x')).toBeDefined()
  })

  it.each([
    ['its tag', 'a', undefined],
    ['everything', undefined, undefined],
    ['another tag', 'b', 1],
  ])('was invalidated during the load by %s', async (_by, tag, cached) => {
    const { cache, begin, pending } = counting(byOwner)
    const waiting = begin()
    cache.invalidate(tag)
    pending[0]?.()
    expect(await waiting).toEqual({ n: 1, owner: 'a' })
    expect(cache.get('key')?.n).toBe(cached)
  })

  it('was loaded before an invalidation and is joined by no later caller', async () => {
    const { cache, begin, pending } = counting(byOwner)
    const before = begin()
    cache.invalidate('b')
    const after = begin()
    cache.invalidate('a')
    pending[1]?.('b')
    expect(await after).toMatchObject({ n: 2 })
    pending[0]?.('a')
    expect(await before).toMatchObject({ n: 1 })
    expect(cache.get('key')?.n).toBe(2)
  })
})

describe('a load without tags', () => {
  it('is valid until any invalidation', async () => {
    const flight = createSingleFlight<boolean>()
    const run = (tag?: string) =>
      flight.run('key', async (isValid) => {
        await Promise.resolve()
        if (tag !== undefined) flight.invalidate(tag)
        return isValid()
      })
    expect([await run(), await run('x'), await run()]).toEqual([true, false, true])
  })
})
