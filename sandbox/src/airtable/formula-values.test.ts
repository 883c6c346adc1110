import { describe, expect, it } from 'vitest'
import {
  areEqual,
  CellError,
  compare,
  isTrue,
  toMoment,
  toNumber,
  toText,
  type Value,
} from './formula-values.ts'

const NOON = Date.parse('2026-01-01T12:00:00.000Z')
const noon: Value = { moment: NOON }

describe('a date', () => {
  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T12:00', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01 12:00:30', '2026-01-01T12:00:30.000Z'],
    ['2026-01-01T12:00:30.250Z', '2026-01-01T12:00:30.250Z'],
    ['2026-01-01T12:00:00+02:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T12:00:00-0130', '2026-01-01T13:30:00.000Z'],
  ])('%s is the moment %s', (text, moment) => {
    expect(new Date(toMoment(text)).toISOString()).toBe(moment)
  })

  it('is what it is when it is a moment already', () => {
    expect(toMoment(noon)).toBe(NOON)
  })

  it.each<Value>([
    '',
    'oggi',
    '01/02/2026',
    '2026-13-01',
    '2026-01-01T25:00',
    '2026',
    20260101,
    true,
    null,
  ])('%j is none', (value) => {
    expect(() => toMoment(value)).toThrow(CellError)
  })
})

describe('as a number', () => {
  it.each<[Value, number]>([
    [7, 7],
    ['7.5', 7.5],
    ['', 0],
    [null, 0],
    [true, 1],
    [false, 0],
  ])('%j is %j', (value, number) => {
    expect(toNumber(value)).toBe(number)
  })

  it.each<Value>(['sette', noon])('%j cannot be computed', (value) => {
    expect(() => toNumber(value)).toThrow(CellError)
  })
})

describe('as text', () => {
  it.each<[Value, string]>([
    ['a', 'a'],
    [1.5, '1.5'],
    [null, ''],
    [noon, '2026-01-01T12:00:00.000Z'],
  ])('%j is %j', (value, text) => {
    expect(toText(value)).toBe(text)
  })
})

describe('what counts as true', () => {
  it.each<Value>([1, -1, 'a', '0', true, noon])('%j does', (value) => {
    expect(isTrue(value)).toBe(true)
  })
  it.each<Value>([0, '', false, null])('%j does not', (value) => {
    expect(isTrue(value)).toBe(false)
  })
})

describe('two values', () => {
  it.each<[Value, Value]>([
    ['a', 'a'],
    [1, 1],
    [1, '1'],
    [null, null],
    [null, ''],
    [null, 0],
    [null, false],
    [true, 1],
    [false, 0],
    [noon, { moment: NOON }],
    [noon, '2026-01-01T12:00:00.000Z'],
  ])('%j and %j are equal', (left, right) => {
    expect([areEqual(left, right), areEqual(right, left)]).toEqual([true, true])
  })

  it.each<[Value, Value]>([
    ['a', 'A'],
    ['a', 'a '],
    [1, 2],
    [1, '2'],
    [null, 'a'],
    [null, 1],
    [null, noon],
    ['', 0],
    [true, 2],
    [true, false],
    [noon, { moment: NOON + 1 }],
  ])('%j and %j are not equal', (left, right) => {
    expect([areEqual(left, right), areEqual(right, left)]).toEqual([false, false])
  })

  it.each<[Value, Value]>([
    [1, 2],
    [9, 10],
    ['9', 10],
    [null, 1],
    ['10', '9'],
    ['a', 'b'],
    [noon, { moment: NOON + 1 }],
    ['2025-12-31', noon],
  ])('%j comes before %j', (left, right) => {
    expect(compare(left, right)).toBeLessThan(0)
    expect(compare(right, left)).toBeGreaterThan(0)
    expect(compare(left, left)).toBe(0)
  })

  it.each<[Value, Value]>([
    ['a', 1],
    [noon, 'domani'],
    [noon, null],
  ])('%j and %j have no order', (left, right) => {
    expect(() => compare(left, right)).toThrow(CellError)
  })
})
