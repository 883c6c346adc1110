import { findPrescriptionCodes } from '@bancone/contract/prescription-codes'
import { expect, it } from 'vitest'
import { missingTexts } from './prescription-texts.ts'

const WRONG_NUMBER = 'Il numero della ricetta ha un errore'

it.each([
  ['CF RSSMRA79B11C566R NRE 1300A4000000248', []],
  // In some regions it is enough.
  ['CF RSSMRA79B11C566R', []],
  ['NRE 1300A4000000248', ['Manca il codice fiscale']],
  ['NRE 1300A4000000248 e NRE 1200A1234567890', ['Manca il codice fiscale']],
  ['STP1234567890123 NRE 1300A4000000248', []],
  [
    'CF RSSMRA79B11C566R NRE 1300A400000024',
    ['Il numero della ricetta ha 14 caratteri: ne servono 15'],
  ],
  ['CF RSSMRA79B11C5661', ['Il codice fiscale ha una lettera o una cifra al posto sbagliato']],
  ['CF RSSMRA79B11C566X', ['Il codice fiscale ha un errore']],
  ['CF PROVAX00X00X000Y', ['Il codice fiscale ha un errore']],
  ['CF RSSMRA79B11C566R NRE 13O0A4000000248', [WRONG_NUMBER]],
  ['NRE 13O0A4000000248', ['Manca il codice fiscale', WRONG_NUMBER]],
  ['CF RSSMRA79B11C566R NRBE ABC123DEF456', ['Manca il PIN della ricetta bianca']],
  ['CF RSSMRA79B11C566R NRBE ABC123DEF456 PIN 1234', []],
  [
    'RSSMRA79B11C566X 13O0A4000000248\nCTTPSC84D15F205X 12O0A1234567890',
    ['Il codice fiscale ha un errore', WRONG_NUMBER],
  ],
  // What may be something else is shown, and nobody is asked for it.
  ['Chiamatemi: 010203331234567', []],
  ['Medico ROSSI MARIO CF CTTPSC84D15F205X\nCF RSSMRA79B11C566R', []],
])('%j lacks %j', (text, missing) => {
  expect(missingTexts(findPrescriptionCodes(text).patients)).toEqual(missing)
})
