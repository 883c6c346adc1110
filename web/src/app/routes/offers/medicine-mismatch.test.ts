import { expect, test } from 'vitest'
import { medicineMismatch } from './medicine-mismatch.ts'

const tachipirina = {
  code: '012745093',
  name: 'TACHIPIRINA',
  pack: '500 mg compresse 20 compresse',
  supply: 'OTC',
  authorised: true,
} as const

test.each([
  ['Tachipirina', null],
  ['Tachipirina 500', null],
  ['TACHIPIRINA 500 mg compresse 20 compresse', null],
  ['Tachipirina 500mg 20cpr', null],
  ['Tachipirina 0,5 g 20 compresse', null],
  ['Tachipirina 500 mg, 2 confezioni', null],
  ['Tachipirina (B12) 500', null],
  ['', null],
  ['Tachipirina 1000', '1000'],
  ['Tachipirina 1 g', '1'],
  ['Tachipirina 500 mg 30 compresse', '30'],
  ['Tachipirina 500 sciroppo', 'sciroppo'],
  ['Tachipirina supposte', 'supposte'],
  ['Moment 500 mg', 'Moment 500 mg'],
])('«%s» says what its pack does not: %s', (name, said) => {
  expect(medicineMismatch(name, tachipirina)).toBe(said)
})

test('a strength in grams is one in milligrams', () => {
  const pack = '1 g compresse effervescenti 12 compresse'
  expect(medicineMismatch('Tachipirina 1000', { ...tachipirina, pack })).toBeNull()
})
