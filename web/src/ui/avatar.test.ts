import { expect, test } from 'vitest'
import { initials } from './avatar.tsx'

test.each([
  ['Farmacia San Carlo', 'FC'],
  ['Farmacia', 'F'],
  ['Antica Farmacia del Corso', 'AF'],
  ["Farmacia dell'Ospedale", 'FO'],
  ['La Rosa', 'R'],
  ['', ''],
])('%s has the initials %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
