import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPace } from './request-pace.ts'

/** Milliseconds: a test which waits for that is ended by its time limit. */
const FOREVER = 1_000_000

/** Work that is done when it is told to be. */
function held() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => {
      ends.set(name, () => resolve(name))
    })
  }
  return { begun, work, end: (name: string) => ends.get(name)?.() }
}

/** What is over at once. */
function noted() {
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    return name
  }
  return { begun, work }
}

describe('a pace', () => {
  it('gives back what the work gives, and fails as it fails', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: 1 })
    expect(await run('read', async () => 7)).toBe(7)
    const failure = new Error('no')
    await expect(run('write', () => Promise.reject(failure))).rejects.toBe(failure)
    expect(await run('read', async () => 8)).toBe(8)
  })

  it('lets so many go at once, and no more', async () => {
    const { run } = createPace({ perSecond: 3, secondMs: FOREVER })
    const { begun, work } = noted()
    const ending = new AbortController()
    await Promise.all(['1', '2', '3'].map((name) => run('read', work(name))))
    const fourth = run('read', work('4'), ending.signal)
    await pause(20)
    ending.abort(new Error('enough'))
    await expect(fourth).rejects.toThrow('enough')
    expect(begun).toEqual(['1', '2', '3'])
  })

  it.each([
    { how: 'was answered', work: () => Promise.resolve() },
    { how: 'failed', work: () => Promise.reject(new Error('no')) },
  ])('gives a place away a second after its work $how', async ({ work }) => {
    const secondMs = 60
    const { run } = createPace({ perSecond: 1, secondMs })
    let ended = 0
    const first = run('read', async () => {
      await pause(40)
      ended = performance.now()
      return work()
    }).catch(() => {})
    const begun = await run('read', async () => performance.now())
    await first
    // A timer may be early by a millisecond.
    expect(begun - ended).toBeGreaterThan(secondMs - 2)
  })

  it('does not wait for the second with the answer', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: FOREVER })
    expect(await run('read', async () => 'answer')).toBe('answer')
  })

  it('lets writes go before all that wait to read, each in its order', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: 1 })
    const { begun, work, end } = held()
    const first = run('read', work('first'))
    const { begun: then, work: later } = noted()
    const others = [
      run('read', later('read 1')),
      run('read', later('read 2')),
      run('write', later('write 1')),
      run('write', later('write 2')),
    ]
    expect([begun, then]).toEqual([['first'], []])
    end('first')
    await Promise.all([first, ...others])
    expect(then).toEqual(['write 1', 'write 2', 'read 1', 'read 2'])
  })
})

describe('who is ended', () => {
  it('while waiting is let go at once, and those behind keep their turn', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: 1 })
    const { work, end } = held()
    const { begun, work: later } = noted()
    const first = run('read', work('first'))
    const ending = new AbortController()
    const ended = run('read', later('ended'), ending.signal)
    const behind = run('read', later('behind'))
    ending.abort(new Error('enough'))
    await expect(ended).rejects.toThrow('enough')
    expect(begun).toEqual([])
    end('first')
    expect(await Promise.all([first, behind])).toEqual(['first', 'behind'])
    expect(begun).toEqual(['behind'])
  })

  it('before it came does not even begin', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: 1 })
    const { begun, work } = noted()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(run('write', work('never'), signal)).rejects.toThrow('enough')
    expect(await run('read', work('next'))).toBe('next')
    expect(begun).toEqual(['next'])
  })

  it('while at work keeps the place for its second: the request may have arrived', async () => {
    const { run } = createPace({ perSecond: 1, secondMs: FOREVER })
    const { work, end } = held()
    const { begun, work: later } = noted()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = run('read', work('first'), one.signal)
    const second = run('read', later('second'), two.signal)
    one.abort(new Error('enough'))
    await pause(20)
    expect(begun).toEqual([])
    end('first')
    expect(await first).toBe('first')
    await pause(20)
    two.abort(new Error('enough of this too'))
    await expect(second).rejects.toThrow('enough of this too')
    expect(begun).toEqual([])
  })
})
