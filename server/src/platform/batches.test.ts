import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { createBatchedLoad, createKeyedBatches } from './batches.ts'

it('loads together what is asked for in one turn, and each key once', async () => {
  const loads: (readonly string[])[] = []
  const get = createBatchedLoad(async (keys) => {
    loads.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`]))
  })
  expect(await Promise.all(['a', 'b', 'a', 'none'].map(get))).toEqual(['a!', 'b!', 'a!', undefined])
  expect(loads).toEqual([['a', 'b', 'none']])
})

it('loads at the same time what is more than a load may have', async () => {
  const loads: (readonly string[])[] = []
  const get = createBatchedLoad(async (keys) => {
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
  const get = createBatchedLoad<number>(async ([key = '']) => {
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
  const get = createBatchedLoad<string>(async (keys) => {
    if (fails) throw new Error('no answer')
    return new Map(keys.map((key) => [key, key]))
  })
  const asked = await Promise.allSettled([get('a'), get('b')])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await get('a')).toBe('a')
})

type Item = { id: string; text: string }
type Work = { key: string; texts: string; end: (error?: Error) => void }

function world(options: { max?: number; waitMs?: number; patienceMs?: number } = {}) {
  const works: Work[] = []
  const { add, idle } = createKeyedBatches(
    (key: string, items: readonly Item[]) =>
      new Promise<string>((resolve, reject) => {
        const texts = items.map(({ text }) => text).join()
        const end = (error?: Error) => (error ? reject(error) : resolve(texts))
        works.push({ key, texts, end })
      }),
    { idOf: ({ id }) => id, ...options },
  )
  return {
    works,
    add: (key: string, id: string, text: string) => add(key, { id, text }),
    idle,
    begun: () => works.map(({ key, texts }) => `${key}: ${texts}`),
  }
}

it('what is requested while work of the key is under way is done together after it', async () => {
  const { works, add, begun } = world()
  const first = add('a', '1', 'one')
  await nextTurn()
  const others = [add('a', '2', 'two'), add('a', '3', 'three'), add('b', '1', 'other')]
  await nextTurn()
  expect(begun()).toEqual(['a: one', 'b: other'])
  works[0]?.end()
  expect(await first).toBe('one')
  await nextTurn()
  expect(begun().at(-1)).toBe('a: two,three')
  works[1]?.end()
  works[2]?.end()
  expect(await Promise.all(others)).toEqual(['two,three', 'two,three', 'other'])
  void add('a', '4', 'four')
  await nextTurn()
  expect(begun().at(-1)).toBe('a: four')
})

it('of two requests with one id the later one is done after the earlier one', async () => {
  const { works, add, begun } = world()
  void add('a', '1', 'now')
  void add('a', '2', 'first')
  void add('a', '2', 'second')
  void add('a', '3', 'beside the first')
  for (const at of [0, 1, 2]) {
    await nextTurn()
    works[at]?.end()
  }
  expect(begun()).toEqual(['a: now', 'a: first,beside the first', 'a: second'])
})

it('a failure is that of the items of the batch alone', async () => {
  const { works, add } = world()
  const first = add('a', '1', 'one')
  const second = add('a', '2', 'two')
  const third = add('a', '3', 'three')
  await nextTurn()
  works[0]?.end(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await nextTurn()
  works[1]?.end(new Error('broken too'))
  await expect(second).rejects.toThrow('broken too')
  await expect(third).rejects.toThrow('broken too')
  const last = add('a', '4', 'four')
  await nextTurn()
  works[2]?.end()
  expect(await last).toBe('four')
})

it('work that hangs holds up the next one for a moment', async () => {
  const { works, add, begun } = world({ patienceMs: 20 })
  const hanging = add('a', '1', 'hangs')
  const next = add('a', '2', 'next')
  await vi.waitFor(() => expect(begun()).toEqual(['a: hangs', 'a: next']))
  works[1]?.end()
  expect(await next).toBe('next')
  works[0]?.end()
  expect(await hanging).toBe('hangs')
})

it('the first batch waits for further items, as many as fit into it', async () => {
  const { works, add, idle, begun } = world({ max: 2, waitMs: 1 })
  const all = ['one', 'two', 'three'].map((text, at) => add('a', String(at), text))
  await vi.waitFor(() => expect(begun()).toEqual(['a: one,two']))
  works[0]?.end()
  await vi.waitFor(() => expect(begun()).toEqual(['a: one,two', 'a: three']))
  const ended = idle()
  works[1]?.end()
  await ended
  expect(await Promise.all(all)).toEqual(['one,two', 'one,two', 'three'])
})
