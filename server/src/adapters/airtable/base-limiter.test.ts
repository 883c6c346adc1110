import { describe, expect, it } from 'vitest'
import { SourceError } from '../../ports/order-source.ts'
import { createBaseLimiter, type LimiterOptions } from './base-limiter.ts'
import { createPace } from './request-pace.ts'

/** Milliseconds: a test which waits for that is ended by its time limit. */
const FOREVER = 1_000_000

const plenty = { perSecond: 1000, secondMs: 1 }
const one = { perSecond: 1, secondMs: FOREVER }

const limiter = (options: Partial<LimiterOptions> = {}) =>
  createBaseLimiter({
    ...plenty,
    silenceMs: 30_000,
    now: Date.now,
    tokenPace: createPace(plenty),
    ...options,
  })

/** What was done, in order. */
function diary() {
  const done: string[] = []
  const note = (what: string) => async () => {
    done.push(what)
    return what
  }
  return { done, note }
}

describe('a base', () => {
  it('does not wait for another', async () => {
    const tokenPace = createPace(plenty)
    const { done, note } = diary()
    await limiter({ ...one, tokenPace }).run('read', note('one'))
    await limiter({ ...one, tokenPace }).run('read', note('other'))
    expect(done).toEqual(['one', 'other'])
  })

  it('shares the pace of the token with the others', async () => {
    const tokenPace = createPace({ perSecond: 2, secondMs: FOREVER })
    const { done, note } = diary()
    await limiter({ tokenPace }).run('read', note('one'))
    await limiter({ tokenPace }).run('read', note('two'))
    const ending = new AbortController()
    const waiting = limiter({ tokenPace }).run('read', note('three'), ending.signal)
    setTimeout(() => ending.abort(new Error('enough')), 20)
    await expect(waiting).rejects.toThrow('enough')
    expect(done).toEqual(['one', 'two'])
  })

  it('that is waited for keeps no place of the token from the others', async () => {
    const tokenPace = createPace({ perSecond: 2, secondMs: FOREVER })
    const { done, note } = diary()
    const busy = limiter({ ...one, tokenPace })
    await busy.run('read', note('busy'))
    const ending = new AbortController()
    const waiting = busy.run('read', note('waiting'), ending.signal)
    await limiter({ tokenPace }).run('read', note('other'))
    ending.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(done).toEqual(['busy', 'other'])
  })
})

describe('a base that asked for silence', () => {
  const silence = new SourceError('rate_limited', 'Airtable asked for silence on this base')

  it.each(['read', 'write'] as const)('is not asked to %s until it is over', async (kind) => {
    let time = 0
    const { run, beSilent } = limiter({ now: () => time, silenceMs: 1000 })
    const { done, note } = diary()
    beSilent()
    await expect(run(kind, note('at once'))).rejects.toEqual(silence)
    time = 999
    await expect(run(kind, note('almost'))).rejects.toEqual(silence)
    time = 1000
    await run(kind, note('after'))
    expect(done).toEqual(['after'])
  })

  it('says so at once, and not when the turn has come', async () => {
    const { run, beSilent } = limiter(one)
    const { done, note } = diary()
    await run('read', note('first'))
    beSilent()
    await expect(run('read', note('second'))).rejects.toEqual(silence)
    expect(done).toEqual(['first'])
  })

  it.each([
    { where: 'for it', options: { perSecond: 1, secondMs: 1 } },
    { where: 'for the token', options: { tokenPace: createPace({ perSecond: 1, secondMs: 1 }) } },
  ])('is not asked by those who wait $where already', async ({ options }) => {
    const { run, beSilent } = limiter(options)
    const { done, note } = diary()
    // Not at once: the second is to be waiting when it happens.
    const first = run('read', () => new Promise<void>((resolve) => setTimeout(resolve, 20)))
    const second = run('read', note('second'))
    beSilent()
    await first
    await expect(second).rejects.toEqual(silence)
    expect(done).toEqual([])
  })
})
