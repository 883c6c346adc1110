import { describe, expect, test } from 'vitest'
import { boundErrors, daysOf, type PeriodName } from './analytics-address.ts'

const today = '2026-03-02'
const none = { dal: null, al: null }

describe('the days of a period', () => {
  test.each<[PeriodName, string, string]>([
    ['oggi', '2026-03-02', '2026-03-02'],
    ['ultimi-7-giorni', '2026-02-24', '2026-03-02'],
    ['ultimi-30-giorni', '2026-02-01', '2026-03-02'],
    ['questo-mese', '2026-03-01', '2026-03-02'],
    ['mese-scorso', '2026-02-01', '2026-02-28'],
  ])('%s', (periodo, dal, al) => {
    expect(daysOf({ periodo, ...none }, today)).toEqual({ dal, al })
  })

  test('a month before that is in the year before', () => {
    expect(daysOf({ periodo: 'mese-scorso', ...none }, '2026-01-31')).toEqual({
      dal: '2025-12-01',
      al: '2025-12-31',
    })
  })
})

describe('the bounds of a custom period', () => {
  test.each([
    ['2020-01-01', '2026-03-02', {}],
    ['2026-03-02', '2026-03-02', {}],
    ['2019-12-31', '2026-03-02', { dal: 'Non prima del 01/01/2020.' }],
    ['2026-03-01', '2026-03-03', { al: 'Non dopo oggi.' }],
    ['2026-03-02', '2026-03-01', { al: '«Al» viene prima di «Dal».' }],
    ['', null, { dal: 'Scegli il primo giorno.', al: "Scegli l'ultimo giorno." }],
    ['2026-02-30', '2026-03-01', { dal: 'Scegli il primo giorno.' }],
  ])('%s to %s', (dal, al, errors) => {
    expect(boundErrors({ dal, al }, today)).toEqual(errors)
    const days = daysOf({ periodo: 'personalizzato', dal, al }, today)
    expect(days).toEqual(Object.keys(errors).length === 0 ? { dal, al } : null)
  })
})
