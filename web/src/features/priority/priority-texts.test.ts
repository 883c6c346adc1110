import { expect, test } from 'vitest'
import {
  customerName,
  lostRaceText,
  minutesWaiting,
  notPresentText,
  waitText,
} from './priority-texts.ts'

test.each([
  ['Anna Bianchi', 'Anna Bianchi'],
  [null, 'Cliente #9XyZ'],
  ['  ', 'Cliente #9XyZ'],
])('a customer named %j is %s', (name, text) => {
  expect(customerName({ customerName: name, recordId: 'recAbC9XyZ' })).toBe(text)
})

test.each([
  [-30_000, 0, 'da meno di un minuto'],
  [59_000, 0, 'da meno di un minuto'],
  [60_000, 1, 'da 1 minuto'],
  [12.9 * 60_000, 12, 'da 12 minuti'],
])('after %i ms one waits %i minutes', (passed, minutes, text) => {
  const arrivedAt = '2026-11-23T09:00:00.000Z'
  expect(minutesWaiting({ arrivedAt }, Date.parse(arrivedAt) + passed)).toBe(minutes)
  expect(waitText(minutes)).toBe(text)
})

test.each([
  [{ status: 'called', desk: 'Banco 2' }, 'Chiamato da Banco 2'],
  [{ status: 'called' }, 'Già chiamato da un altro banco'],
  [{ status: 'cancelled' }, 'Lo stato del cliente è già stato cambiato'],
  [undefined, 'Lo stato del cliente è già stato cambiato'],
])('who is too late reads why: %j', (details, text) => {
  expect(lostRaceText({ details })).toBe(text)
})

test('it says how often a customer was not there', () => {
  expect([1, 2].map(notPresentText)).toEqual(['già segnalato 1 volta', 'già segnalato 2 volte'])
})
