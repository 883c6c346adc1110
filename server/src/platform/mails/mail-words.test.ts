import { expect, it } from 'vitest'
import { durationInWords, nameInSubject, timeInRome } from './mail-words.ts'

it.each([
  [0, 'un minuto'],
  [1, 'un minuto'],
  [1.9, 'un minuto'],
  [15, '15 minuti'],
  [59.9, '59 minuti'],
  [60, "un'ora"],
  [90, '90 minuti'],
  [120, '2 ore'],
  [24 * 60, '24 ore'],
  [36 * 60, '36 ore'],
  [48 * 60, '2 giorni'],
  [7 * 24 * 60, '7 giorni'],
])('%d minutes are %s', (minutes, words) => {
  expect(durationInWords(minutes)).toBe(words)
})

it.each([
  ['2026-11-21T10:20:30.123Z', '21/11/2026 alle 11:20'],
  ['2026-07-01T10:20:00.000Z', '01/07/2026 alle 12:20'],
  ['2026-12-31T23:00:00.000Z', '01/01/2027 alle 00:00'],
])('%s is %s in Rome', (time, words) => {
  expect(timeInRome(new Date(time))).toBe(words)
})

it.each([
  ['Farmacia San Marco', 'Farmacia San Marco'],
  [' Farmacia\r\nBcc: altri@example.it ', 'Farmacia Bcc: altri@example.it'],
  [
    'Antica Farmacia Internazionale al Ponte dei Sospiri',
    'Antica Farmacia Internazionale al Ponte…',
  ],
])('%j is called %j in a subject', (name, called) => {
  expect(nameInSubject(name)).toBe(called)
})
