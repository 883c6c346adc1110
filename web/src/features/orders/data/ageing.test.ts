import { expect, test } from 'vitest'
import { ageing } from './ageing.ts'

const now = Date.parse('2026-03-02T10:00:00Z')
const minutes = (count: number) => new Date(now - count * 60_000).toISOString()

test.each([
  [-3, 'quiet', 'da poco'],
  [0.9, 'quiet', 'da poco'],
  [1, 'quiet', 'da 1 min'],
  [29.9, 'quiet', 'da 29 min'],
  [30, 'due', 'da 30 min'],
  [60, 'due', 'da 1 ora'],
  [119.9, 'due', 'da 1 ora'],
  [120, 'late', 'da 2 ore'],
  [23 * 60 + 59, 'late', 'da 23 ore'],
  [24 * 60, 'late', 'da 1 giorno'],
  [48 * 60, 'late', 'da 2 giorni'],
  [1_500 * 24 * 60, 'late', 'da 1.500 giorni'],
] as const)('an order that has waited for %s minutes is %s: %s', (age, level, text) => {
  expect(ageing({ status: 'In attesa', created: minutes(age) }, now)).toEqual({ level, text })
})

test.each([
  ['Confermato', minutes(500)],
  ['Prenotato Domani', minutes(500)],
  ['in verifica', minutes(500)],
  ['In attesa', 'ieri'],
])('an order that is %s since %s does not age', (status, created) => {
  expect(ageing({ status, created }, now)).toBeNull()
})
