import { expect, test } from 'vitest'
import { initials } from './avatar.tsx'

test.each([
  ['Farmacia San Carlo', 'SC'],
  ['Farmacia', 'F'],
  ['Antica Farmacia del Corso', 'AC'],
  ["Farmacia dell'Ospedale", 'O'],
  ['La Rosa', 'R'],
  ['', ''],
])('%s has the initials %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
