import type { Period } from '@bancone/contract/orders'
import { describe, expect, it } from 'vitest'
import { daysOf } from './order-days.rules.ts'

describe('the days of a period', () => {
  it.each<[Period, string, string, string]>([
    ['oggi', '2026-06-15T10:00:00Z', '2026-06-15', '2026-06-15'],
    ['ieri', '2026-06-15T10:00:00Z', '2026-06-14', '2026-06-14'],
    ['ultimi-7-giorni', '2026-06-15T10:00:00Z', '2026-06-09', '2026-06-15'],
    ['ultimi-30-giorni', '2026-06-15T10:00:00Z', '2026-05-17', '2026-06-15'],
    ['questo-mese', '2026-06-15T10:00:00Z', '2026-06-01', '2026-06-15'],
    ['mese-scorso', '2026-06-15T10:00:00Z', '2026-05-01', '2026-05-31'],
    // In Rome it is tomorrow already.
    ['oggi', '2026-06-30T22:00:00Z', '2026-07-01', '2026-07-01'],
    ['oggi', '2026-06-30T21:59:59Z', '2026-06-30', '2026-06-30'],
    ['questo-mese', '2026-06-30T22:30:00Z', '2026-07-01', '2026-07-01'],
    ['mese-scorso', '2026-12-31T23:30:00Z', '2026-12-01', '2026-12-31'],
    ['ieri', '2026-01-01T12:00:00Z', '2025-12-31', '2025-12-31'],
    ['mese-scorso', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
    // Summer time begins on March 29 at 01:00 UTC, and ends on October 25.
    ['oggi', '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29'],
    ['oggi', '2026-03-29T21:59:59Z', '2026-03-29', '2026-03-29'],
    ['oggi', '2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30'],
    ['ieri', '2026-03-29T22:30:00Z', '2026-03-29', '2026-03-29'],
    ['ultimi-7-giorni', '2026-10-25T22:59:59Z', '2026-10-19', '2026-10-25'],
    ['ultimi-7-giorni', '2026-10-25T23:00:00Z', '2026-10-20', '2026-10-26'],
  ])('%s at %s is %s to %s', (periodo, now, from, to) => {
    expect(daysOf({ periodo }, Date.parse(now))).toEqual({ from, to })
  })

  it.each([
    [{}, null, null],
    [{ dal: '2026-03-29' }, '2026-03-29', null],
    [{ al: '2026-03-29' }, null, '2026-03-29'],
    [{ dal: '2026-03-30', al: '2026-03-29' }, '2026-03-30', '2026-03-29'],
    // What is given counts.
    [{ periodo: 'oggi' as const, al: '2026-03-29' }, null, '2026-03-29'],
    // There is no year 0 in PostgreSQL.
    [{ dal: '0000-05-01' }, '0001-01-01', null],
  ])('%j is %s to %s', (filter, from, to) => {
    expect(daysOf(filter, Date.parse('2026-06-15T10:00:00Z'))).toEqual({ from, to })
  })
})
