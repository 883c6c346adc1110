import { describe, expect, it } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'
import { TooManyRequests } from './rate-limits.ts'

/** Tasks that end when the test lets them, and the names of those that started. */
function tasks() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  return { started, task, end: (name: string) => ends.get(name)?.() }
}

describe('a bounded queue', () => {
  it('runs as many tasks of a key as it may, and refuses those that find it full', async () => {
    const inTurn = createBoundedQueue({ concurrency: 2, maxWaiting: 1 })
    const { started, task, end } = tasks()
    const [a, b, c] = ['a', 'b', 'c'].map((name) => inTurn(task(name), { key: 'one' }))
    await expect(inTurn(task('d'), { key: 'one' })).rejects.toThrow(TooManyRequests)
    const other = inTurn(task('other'), { key: 'two' })
    expect(started).toEqual(['a', 'b', 'other'])
    end('a')
    expect(await a).toBe('a')
    expect(started).toEqual(['a', 'b', 'other', 'c'])
    const e = inTurn(task('e'), { key: 'one' })
    for (const name of ['b', 'c', 'other']) end(name)
    expect(await Promise.all([b, c, other])).toEqual(['b', 'c', 'other'])
    end('e')
    expect(await e).toBe('e')
  })

  it('starts tasks of a higher priority first, and counts each priority apart', async () => {
    const refusal = () => new Error('not now')
    const inTurn = createBoundedQueue({ concurrency: 1, maxWaiting: 1, refusal })
    const { started, task, end } = tasks()
    const all = [inTurn(task('a')), inTurn(task('low')), inTurn(task('high'), { priority: 1 })]
    await expect(inTurn(task('lower'))).rejects.toThrow('not now')
    await expect(inTurn(task('higher'), { priority: 1 })).rejects.toThrow('not now')
    for (const name of ['a', 'high', 'low']) {
      await expect.poll(() => started).toContain(name)
      end(name)
    }
    await Promise.all(all)
    expect(started).toEqual(['a', 'high', 'low'])
  })

  it('rejects a task that is aborted while it waits', async () => {
    const inTurn = createBoundedQueue({ concurrency: 1, maxWaiting: 1 })
    const { started, task, end } = tasks()
    const a = inTurn(task('a'))
    const waiting = new AbortController()
    const b = inTurn(task('b'), { signal: waiting.signal })
    waiting.abort(new Error('too late'))
    await expect(b).rejects.toThrow('too late')
    const c = inTurn(task('c'))
    end('a')
    await a
    end('c')
    await c
    expect(started).toEqual(['a', 'c'])
  })

  it('goes on after a task that failed', async () => {
    const inTurn = createBoundedQueue({ concurrency: 1, maxWaiting: 0 })
    await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await inTurn(async () => 'done')).toBe('done')
  })
})

describe('a queue in which none may wait', () => {
  it('refuses what cannot start at once', async () => {
    const atOnce = createBoundedQueue({ concurrency: 1, maxWaiting: 0 })
    const { task, end } = tasks()
    const a = atOnce(task('a'), { key: 'one' })
    const refused = atOnce(task('b'), { key: 'one' })
    await expect(refused).rejects.toEqual(new TooManyRequests('tasks', 5))
    expect(await atOnce(async () => 'other', { key: 'two' })).toBe('other')
    end('a')
    await a
    expect(await atOnce(async () => 'next', { key: 'one' })).toBe('next')
  })
})
