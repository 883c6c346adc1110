import { expect, it, vi } from 'vitest'
import { createKeyedBatches } from './keyed-batches.ts'

type Work = { key: string; items: readonly string[]; end: (error?: Error) => void }

function world(patienceMs?: number) {
  const works: Work[] = []
  const add = createKeyedBatches(
    (key: string, items: readonly string[]) =>
      new Promise<string>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.join()))
        works.push({ key, items, end })
      }),
    patienceMs,
  )
  return { works, add, begun: () => works.map(({ key, items }) => `${key}: ${items.join()}`) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('what is requested while work of the key is under way is done together after it', async () => {
  const { works, add, begun } = world()
  const first = add('a', '1', 'one')
  await settled()
  const others = [add('a', '2', 'two'), add('a', '3', 'three'), add('b', '1', 'other')]
  await settled()
  expect(begun()).toEqual(['a: one', 'b: other'])
  works[0]?.end()
  expect(await first).toBe('one')
  await settled()
  expect(begun().at(-1)).toBe('a: two,three')
  works[1]?.end()
  works[2]?.end()
  expect(await Promise.all(others)).toEqual(['two,three', 'two,three', 'other'])
  void add('a', '4', 'four')
  await settled()
  expect(begun().at(-1)).toBe('a: four')
})

it('of two requests with one id the later one is done after the earlier one', async () => {
  const { works, add, begun } = world()
  void add('a', '1', 'now')
  void add('a', '2', 'first')
  void add('a', '2', 'second')
  void add('a', '3', 'beside the first')
  for (const at of [0, 1, 2]) {
    await settled()
    works[at]?.end()
  }
  expect(begun()).toEqual(['a: now', 'a: first,beside the first', 'a: second'])
})

it('a failure is that of the items of the batch alone', async () => {
  const { works, add } = world()
  const first = add('a', '1', 'one')
  const second = add('a', '2', 'two')
  const third = add('a', '3', 'three')
  await settled()
  works[0]?.end(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await settled()
  works[1]?.end(new Error('broken too'))
  await expect(second).rejects.toThrow('broken too')
  await expect(third).rejects.toThrow('broken too')
  const last = add('a', '4', 'four')
  await settled()
  works[2]?.end()
  expect(await last).toBe('four')
})

it('work that hangs holds up the next one for a moment', async () => {
  const { works, add, begun } = world(20)
  const hanging = add('a', '1', 'hangs')
  const next = add('a', '2', 'next')
  await vi.waitFor(() => expect(begun()).toEqual(['a: hangs', 'a: next']))
  works[1]?.end()
  expect(await next).toBe('next')
  works[0]?.end()
  expect(await hanging).toBe('hangs')
})
