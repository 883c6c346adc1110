import { describe, expect, it } from 'vitest'
import {
  type CopyStatus,
  freshness,
  laterOf,
  newSince,
  nothingCopied,
  readFrom,
  readUntil,
} from './orders.rules.ts'

describe('the reading', () => {
  it('begins two minutes before the newest change, and at the beginning when there is none', () => {
    expect(readFrom('2026-11-21T10:00:00.000Z')).toBe('2026-11-21T09:58:00.000Z')
    expect(readFrom(null)).toBeNull()
  })

  it('goes on from the later of two times', () => {
    expect(laterOf(null, '2026-01-01T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z')
    expect(laterOf('2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z')).toBe(
      '2026-01-02T00:00:00.000Z',
    )
  })
})

describe('how far the store has been read', () => {
  const at = (time: string) => `2026-11-21T${time}.000Z`
  const from = at('10:00:00')

  it.each([
    ['nothing', null, null, false, null],
    ['the newest change', null, '09:30:00', false, '09:30:00'],
    ['the newest change, and one in the future', null, '09:30:00', true, '09:30:00'],
    ['the future alone', null, null, true, '10:00:00'],
    ['the future alone, again', '09:00:00', null, true, '09:00:00'],
    ['nothing new', '09:00:00', null, false, '09:00:00'],
    ['something new', '09:00:00', '09:30:00', false, '09:30:00'],
    ['what was there before', '09:00:00', '08:59:00', false, '09:00:00'],
  ])('%s: begun at %s, newest %s, ahead %s: %s', (_what, began, newest, isAhead, expected) => {
    const seen = { newest: newest && at(newest), isAhead, from, to: from }
    expect(readUntil(began && at(began), seen)).toBe(expected && at(expected))
  })

  it('is less by as long as the reading took', () => {
    const seen = { newest: at('09:30:00'), isAhead: false, from, to: at('10:11:00') }
    expect(readUntil(null, seen)).toBe(at('09:19:00'))
    expect(readUntil(at('09:25:00'), seen)).toBe(at('09:25:00'))
  })
})

it('what is found late is new if it was made on the day before the last reading', () => {
  expect(newSince('2026-11-21T10:00:00.000Z')).toBe('2026-11-20T10:00:00.000Z')
})

describe('what a page says of its copy', () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z')
  const copied: CopyStatus = {
    readAt: '2026-11-21T09:59:00.000Z',
    pendingChanges: 2,
    trouble: 'unreachable',
    setAside: 3,
    missingColumns: ['Last'],
    notices: 1,
  }
  const old = { ...nothingCopied, readAt: '2026-11-21T09:58:00.000Z' }
  const none = nothingCopied

  it.each([
    ['fresh', copied, false],
    ['fresh', old, false],
    ['slow', copied, false],
    ['slow', old, true],
    ['slow', none, true],
    ['failed', copied, true],
    ['failed', none, true],
  ] as const)('%s, read %o: stale %s', (lastRefresh, copy, stale) => {
    const { readAt, pendingChanges, trouble, setAside, missingColumns } = copy
    const rest = { pendingChanges, trouble, setAside, missingColumns }
    const said = { source: 'airtable', stale, syncedAt: readAt, ...rest }
    expect(freshness(lastRefresh, copy, now)).toEqual(said)
  })

  it('a pharmacy without an order store has nothing to be late with', () => {
    expect(freshness(null, copied, now)).toEqual({
      source: 'database',
      stale: false,
      syncedAt: null,
      pendingChanges: 0,
      trouble: null,
      setAside: 0,
      missingColumns: [],
    })
  })
})
