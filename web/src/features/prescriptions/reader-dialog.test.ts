import { findPrescriptionCodes } from '@bancone/contract/prescription-codes'
import { expect, it } from 'vitest'
import { fittingModule } from './barcode-size.ts'
import { barsInOrder, isReading } from './reader-dialog.tsx'

it.each([
  ['as chosen', 3, 10, 1, 3],
  ['as wide as fits', 4, 2.9, 1, 2],
  ['in whole pixels of the screen', 2, 10, 1.5, 2],
  ['in whole pixels of the screen, not less than chosen', 2, 10, 1.25, 2.4],
  ['in whole pixels of the screen, as wide as fits', 3, 1.6, 3, 4 / 3],
  ['one pixel at least', 2, 0.4, 1, 1],
  ['exactly as wide as the window', 2, 614 / 307, 1, 2],
])('the narrowest bar is drawn %s', (_how, chosen, space, ratio, drawn) => {
  expect(fittingModule(chosen, space, ratio)).toBe(drawn)
})

it.each([
  ['1300A', true],
  ['1300a', true],
  ['*1300A*', true],
  [']A01300A', true],
  ['1300A\t', true],
  ['1300', false],
  ['1300A4000000248', false],
  ['4000000248', false],
])('of a reader that sends %j the bar 1300A was read: %s', (scan, was) => {
  expect(isReading(scan, '1300A')).toBe(was)
})

it('the bars of each person follow one another, last those of who may be the doctor', () => {
  const { patients } = findPrescriptionCodes(
    'Medico ROSSI MARIO CF CTTPSC84D15F205E\nCF RSSMRA79B11C566R NRE 1300A4000000248\nSTP1234567890123',
  )
  expect(barsInOrder(patients)).toEqual([
    {
      text: 'RSSMRA79B11C566R',
      name: 'Codice fiscale',
      doubts: '',
      person: { place: 'Persona 1 di 2', code: 'RSSMRA79B11C566R' },
    },
    {
      text: '1300A',
      name: 'NRE, prima parte',
      doubts: '',
      person: { place: 'Persona 1 di 2', code: 'RSSMRA79B11C566R' },
    },
    {
      text: '4000000248',
      name: 'NRE, seconda parte',
      doubts: '',
      person: { place: 'Persona 1 di 2', code: 'RSSMRA79B11C566R' },
    },
    {
      text: 'CTTPSC84D15F205E',
      name: 'Codice fiscale',
      doubts: 'Sembra il codice fiscale del medico.',
      person: { place: 'Persona 2 di 2', code: 'CTTPSC84D15F205E' },
    },
  ])
})
