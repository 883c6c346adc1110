import { describe, expect, it } from 'vitest'
import { outcomeOf, pauseAfter, vapidSubject } from './notifications.rules.ts'

describe('the answer of a push service', () => {
  it.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [204, 'delivered'],
    [404, 'gone'],
    [410, 'gone'],
    [307, 'refused'],
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [413, 'refused'],
    [408, 'later'],
    [429, 'later'],
    [500, 'later'],
    [503, 'later'],
  ])('%i means %s', (status, kind) => {
    expect(outcomeOf(status, undefined).kind).toBe(kind)
  })

  it.each([
    [undefined, null],
    ['', null],
    ['soon', null],
    ['Sat, 21 Nov 2026 10:00:00 GMT', null],
    ['-1', null],
    ['0', 0],
    ['120', 120],
  ])('with Retry-After %s asks for %s seconds', (given, after) => {
    expect(outcomeOf(429, given)).toEqual({ kind: 'later', after })
  })
})

describe('the next attempt', () => {
  it.each([
    [1, null, 5],
    [2, null, 10],
    [5, null, 80],
    [11, null, 3600],
    [31, null, 3600],
    [1, 3, 5],
    [1, 60, 60],
    [1, 999_999_999, 86_400],
    [32, 60, null],
  ])('after %i, when %s seconds are asked for, is in %s', (attempt, after, pause) => {
    expect(pauseAfter(attempt, after)).toBe(pause)
  })
})

describe('whom a push service may write to', () => {
  it.each([
    ['https://bancone.example.it', 'Bancone <no-reply@x.it>', 'https://bancone.example.it'],
    ['http://localhost:3000', 'Bancone <no-reply@x.it>', 'mailto:no-reply@x.it'],
    ['https://localhost:3000', 'Bancone <no-reply@x.it>', 'mailto:no-reply@x.it'],
    ['https://localhost', 'no-reply@x.it', 'mailto:no-reply@x.it'],
    ['https://localhost.example.it', 'no-reply@x.it', 'https://localhost.example.it'],
  ])('%s, %s: %s', (publicUrl, mailFrom, subject) => {
    expect(vapidSubject(publicUrl, mailFrom)).toBe(subject)
  })
})
