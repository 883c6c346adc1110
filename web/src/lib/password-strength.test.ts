import { expect, test } from 'vitest'
import { measureStrength } from './password-strength.ts'

const email = 'sancarlo.vomero@example.it'

test.each([
  ['passwordpassword', 'Debole'],
  ['farmacia', 'Debole'],
  ['bancone123', 'Debole'],
  ['sancarlo.vomero', 'Debole'],
  ['vomero2026', 'Debole'],
  ['trattore22', 'Discreta'],
  ['gelato limone', 'Buona'],
  ['zattera-melograno-vento-38', 'Ottima'],
])('%s is %s', (password, word) => {
  expect(measureStrength(password, email).label).toBe(word)
})

test.each([
  ['aaaaaaaaaaaa', /ripetuti|comune|usata/],
  ['sancarlo.vomero', /tua email/],
  ['12/03/1984', /date/],
  ['trattore22', /parole meno comuni/],
])('what weakens %s is said in Italian', (password, hint) => {
  expect(measureStrength(password, email).hint).toMatch(hint)
})

test('the four steps are in the order of their words', () => {
  const steps = ['aaaaaaaaaaaa', 'zattera-melograno-vento-38'].map(
    (password) => measureStrength(password, email).level,
  )
  expect(steps).toEqual([1, 4])
})
