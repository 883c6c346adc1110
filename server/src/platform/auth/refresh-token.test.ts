import { describe, expect, it } from 'vitest'
import { decideRefresh, looksLikeRefreshToken, refreshToken } from './refresh-grant.ts'

const key = Buffer.alloc(32, 7)
const now = 1_000_000

describe('a presented refresh token', () => {
  it.each([
    ['the active one', { counter: 4, active: 4, replacedAt: null }, 'rotate'],
    ['the one before, long ago', { counter: 3, active: 4, replacedAt: 1 }, 'repeat'],
    [
      'an older one, replaced just now',
      { counter: 2, active: 4, replacedAt: now - 9_999 },
      'repeat',
    ],
    [
      'an older one, replaced long ago',
      { counter: 2, active: 4, replacedAt: now - 10_001 },
      'reuse',
    ],
  ] as const)('%s', (_what, token, verdict) => {
    expect(decideRefresh({ ...token, elevated: 0 }, now)).toBe(verdict)
  })

  it.each([
    ['the first since', { counter: 5, active: 5, replacedAt: null }, 'rotate'],
    ['the one before the active one', { counter: 5, active: 6, replacedAt: 1 }, 'repeat'],
    ['another since, replaced just now', { counter: 5, active: 7, replacedAt: now }, 'repeat'],
    [
      'the last before, a moment ago',
      { counter: 3, active: 5, replacedAt: now - 59_999 },
      'retry-later',
    ],
    [
      'the last before, while we waited',
      { counter: 3, active: 5, replacedAt: null },
      'retry-later',
    ],
    [
      'one before that, a moment ago',
      { counter: 2, active: 6, replacedAt: now - 59_999 },
      'retry-later',
    ],
    ['the last before, long ago', { counter: 3, active: 9, replacedAt: now - 60_001 }, 'elevated'],
    ['one before that, long ago', { counter: 2, active: 5, replacedAt: now - 60_001 }, 'reuse'],
  ] as const)('of a session that was lifted: %s', (_what, token, verdict) => {
    expect(decideRefresh({ ...token, elevated: 5 }, now)).toBe(verdict)
  })

  it('is the same each time it is worked out, and another for every session, number and secret', () => {
    const token = refreshToken(key, 'a', 1)
    expect(refreshToken(key, 'a', 1)).toBe(token)
    const others = [
      refreshToken(key, 'a', 2),
      refreshToken(key, 'b', 1),
      refreshToken(Buffer.alloc(32, 8), 'a', 1),
    ]
    expect(new Set([token, ...others]).size).toBe(4)
  })

  it('is told from what cannot be one', () => {
    expect(looksLikeRefreshToken(refreshToken(key, 'a', 1))).toBe(true)
    for (const wrong of ['', 'abc', `${refreshToken(key, 'a', 1)}x`, 'ü'.repeat(43)]) {
      expect(looksLikeRefreshToken(wrong)).toBe(false)
    }
  })
})
