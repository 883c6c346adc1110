import { expect, test } from 'vitest'
import { closingText, openingText, spansText } from './opening-text.ts'

const NOW = Date.parse('2026-11-23T13:00+01:00')

test.each([
  [true, '2026-11-23T19:30+01:00', 'Aperto ora · chiude alle 19:30'],
  [true, '2026-11-24T02:00+01:00', 'Aperto ora · chiude alle 02:00'],
  [true, '2026-12-25T00:00+01:00', 'Aperto ora'],
  [true, null, 'Aperto ora'],
  [false, '2026-11-23T15:30+01:00', 'Chiuso · apre alle 15:30'],
  [false, '2026-11-24T08:30+01:00', 'Chiuso · apre domani alle 08:30'],
  [false, '2026-11-28T08:30+01:00', 'Chiuso · apre sabato alle 08:30'],
  [false, '2026-11-30T08:30+01:00', 'Chiuso · apre il 30/11/2026 alle 08:30'],
  [false, null, 'Chiuso'],
])('open %s until %s: %s', (isOpen, at, text) => {
  const changesAt = at === null ? null : Date.parse(at)
  expect(openingText({ isOpen, changesAt }, NOW)).toBe(text)
})

test('the hours of a day, and closing days', () => {
  const morning = { from: '08:30', to: '12:30' }
  expect(spansText([])).toBe('Chiuso')
  expect(spansText([morning, { from: '20:00', to: '02:00' }])).toBe('08:30–12:30, 20:00–02:00')
  expect(spansText([{ from: '00:00', to: '00:00' }])).toBe('24 ore su 24')
  const christmas = { from: '2026-12-25', to: '2026-12-25', note: '' }
  expect(closingText(christmas)).toBe('25/12/2026')
  expect(closingText({ ...christmas, to: '2026-12-26', note: 'Natale' })).toBe(
    'Dal 25/12/2026 al 26/12/2026: Natale',
  )
})
