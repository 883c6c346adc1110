import { expect, test } from 'vitest'
import { notRestorableText, ordersText, type SkippedItem, skippedText } from './bulk-run.ts'

const left = (number: string | null, now: string | null = 'Annullato'): SkippedItem => ({
  recordId: `rec${number}`,
  number,
  now,
})
const many = (count: number) => Array.from({ length: count }, (_, n) => left(String(n + 1)))

test.each([
  [1, '1 ordine'],
  [37, '37 ordini'],
  [1_200, '1.200 ordini'],
])('%s is %s', (count, text) => expect(ordersText(count)).toBe(text))

test.each<[SkippedItem[], string | null]>([
  [[], null],
  [[left('1041')], '1 ordine non cambiato: nel frattempo qualcuno lo ha modificato (1041).'],
  [
    [left('1041'), left('1042')],
    '2 ordini non cambiati: nel frattempo qualcuno li ha modificati (1041, 1042).',
  ],
  [[left(null)], '1 ordine non cambiato: nel frattempo qualcuno lo ha modificato.'],
  [
    many(11),
    '11 ordini non cambiati: nel frattempo qualcuno li ha modificati (1, 2, 3, 4, 5, 6, 7, 8, 9, 10 e un altro).',
  ],
  [[left('7', null)], "1 ordine non c'è più (7)."],
  [
    [left('7', null), left('8', null), left('9')],
    '1 ordine non cambiato: nel frattempo qualcuno lo ha modificato (9). 2 ordini non ci sono più (7, 8).',
  ],
])('of %j it says: %s', (orders, text) => expect(skippedText(orders)).toBe(text))

test('what cannot be written back is said', () => {
  expect(notRestorableText(0)).toBeNull()
  expect(notRestorableText(1)).toContain('1 ordine non torna')
  expect(notRestorableText(3)).toContain('3 ordini non tornano')
})
