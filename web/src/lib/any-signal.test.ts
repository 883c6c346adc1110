import { describe, expect, it } from 'vitest'
import { anySignal } from './any-signal.ts'

describe('either of two signals', () => {
  it('ends with the first, for its reason, and not again', () => {
    const one = new AbortController()
    const other = new AbortController()
    const either = anySignal(one.signal, other.signal)
    expect(either.aborted).toBe(false)
    other.abort('late')
    expect([either.aborted, either.reason]).toEqual([true, 'late'])
    one.abort('left')
    expect(either.reason).toBe('late')
  })

  it('has ended where one has', () => {
    const ended = AbortSignal.abort('left')
    const either = anySignal(new AbortController().signal, ended)
    expect([either.aborted, either.reason]).toEqual([true, 'left'])
  })
})
