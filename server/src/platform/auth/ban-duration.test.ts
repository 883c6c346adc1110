import { describe, expect, it } from 'vitest'
import { AuthError } from './auth-error.ts'
import { parseBanDuration } from './ban-duration.ts'

const HOUR = 3_600_000
const THOUSAND_YEARS = 365_000 * 24 * HOUR

describe('the duration of a ban', () => {
  it.each([
    ['none', 0],
    ['0s', 0],
    ['24h', 24 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['1.5h', 1.5 * HOUR],
    ['2m', 120_000],
    ['3s', 3000],
    ['250ms', 250],
    ['1m1ms', 60_001],
    ['1500us', 1.5],
    ['1500µs', 1.5],
    ['2000000ns', 2],
    ['1h1h', 2 * HOUR],
    ['876000h', 876_000 * HOUR],
  ])('%s is %d ms', (duration, milliseconds) => {
    expect(parseBanDuration(duration)).toBeCloseTo(milliseconds, 6)
  })

  it.each(['99999999h', `${'9'.repeat(400)}h`])('is no longer than a date can say: %s', (text) => {
    expect(parseBanDuration(text)).toBe(THOUSAND_YEARS)
    expect(new Date(Date.now() + parseBanDuration(text)).toISOString()).toMatch(/^3\d{3}-/)
  })

  it.each([
    '',
    ' ',
    'forever',
    'None',
    '24',
    'h',
    '-1h',
    '+1h',
    '24 h',
    ' 24h',
    '24h ',
    '1d',
    '1H',
    '1.h',
    '.5h',
    '1..5h',
    '1h30',
    '1e3h',
    '1h\n2h',
    'Infinityh',
  ])('is not %j', (duration) => {
    const ban = () => parseBanDuration(duration)
    expect(ban).toThrow(AuthError)
    expect(ban).toThrow(expect.objectContaining({ code: 'validation_failed', status: 400 }))
  })
})
