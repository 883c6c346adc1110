import { describe, expect, it } from 'vitest'
import { matchesEtag } from '../browser-call.ts'
import { isNotModifiedSince, parseRange, resolveRange } from './send-file.ts'

describe('a range of ten bytes', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=5-999999999999999', { start: 5, end: 9 }],
    ['BYTES=0-0', { start: 0, end: 0 }],
  ])('asked for as %s', (header, range) => {
    const wanted = parseRange(header)
    expect(wanted && resolveRange(wanted, 10)).toEqual(range)
  })

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=999999999999999-'])(
    'is nothing of it: %s',
    (header) => {
      const wanted = parseRange(header)
      expect(wanted).toBeDefined()
      expect(wanted && resolveRange(wanted, 10)).toBeUndefined()
    },
  )

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=3-1',
    'bytes=a-b',
    'bytes=--1',
    'bytes=0-1,3-4',
    'bytes=0-,0-,0-',
    'bytes=0x1-0x2',
    'bytes=1e1-',
    'lines=0-1',
    `bytes=0-${'9'.repeat(400)}`,
  ])('is all of it: %s', (header) => {
    expect(parseRange(header)).toBeUndefined()
  })

  it('of nothing is nothing', () => {
    expect(resolveRange({ start: 0, end: undefined }, 0)).toBeUndefined()
    expect(resolveRange({ last: 5 }, 0)).toBeUndefined()
  })
})

describe('what is known already', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
    ['', false],
  ])('by the tag %s: %s', (header, isKnown) => {
    expect(matchesEtag(header, '"a"')).toBe(isKnown)
  })

  it.each([
    ['Sat, 21 Nov 2026 10:00:00 GMT', true],
    ['Sat, 21 Nov 2026 10:00:01 GMT', true],
    ['Sat, 21 Nov 2026 09:59:59 GMT', false],
    ['yesterday', false],
  ])('by the time %s: %s', (header, isKnown) => {
    expect(isNotModifiedSince(header, '2026-11-21T10:00:00.900Z')).toBe(isKnown)
  })
})
