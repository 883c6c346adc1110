import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatch } from './batch.ts'

it('loads together what is asked for in one turn, and each key once', async () => {
  const loads: (readonly string[])[] = []
  const get = createBatch(async (keys) => {
    loads.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`]))
  })
  expect(await Promise.all(['a', 'b', 'a', 'none'].map(get))).toEqual(['a!', 'b!', 'a!', undefined])
  expect(loads).toEqual([['a', 'b', 'none']])
})

it('loads at the same time what is more than a load may have', async () => {
  const loads: (readonly string[])[] = []
  const get = createBatch(async (keys) => {
    loads.push(keys)
    await nextTurn()
    return new Map(keys.map((key) => [key, loads.length]))
  }, 2)
  expect(await Promise.all(['a', 'b', 'c', 'a', 'd', 'e'].map(get))).toEqual([3, 3, 3, 3, 3, 3])
  expect(loads).toEqual([['a', 'b'], ['c', 'd'], ['e']])
})

it('loads again for a caller that asks while a load is under way', async () => {
  let value = 1
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const get = createBatch<number>(async ([key = '']) => {
    begin()
    const loaded = value
    await nextTurn()
    return new Map([[key, loaded]])
  })
  const before = get('a')
  await begun
  value = 2
  expect(await Promise.all([before, get('a')])).toEqual([1, 2])
})

it('a failed read rejects the requests that share it, and none after it', async () => {
  let fails = true
  const get = createBatch<string>(async (keys) => {
    if (fails) throw new Error('no answer')
    return new Map(keys.map((key) => [key, key]))
  })
  const asked = await Promise.allSettled([get('a'), get('b')])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await get('a')).toBe('a')
})
