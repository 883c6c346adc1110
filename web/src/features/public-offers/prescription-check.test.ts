import { expect, it } from 'vitest'
import { doubtsOf, type PrescriptionField } from './prescription-check.ts'

it.each<[PrescriptionField, string, string[]]>([
  ['nre', '1300A4000000248', []],
  ['nre', '*1300a* *4000000248*', []],
  ['nre', '130 0A40 0000 0248', []],
  ['nre', '1300A4000000248 1200A1234567890', []],
  ['nre', '010040000000248', []],
  ['nre', '13O0A4000000248', ['Una lettera e una cifra simili sono state scambiate, come O e 0.']],
  ['nre', '1300A400000024', ['Questo codice ha 14 caratteri: ne servono 15.']],
  ['nre', '1300', ['Questo codice ha 4 caratteri: ne servono 15.']],
  ['nre', 'ricetta', ['Questo codice ha 7 caratteri: ne servono 15.']],
  ['nre', 'RSSMRA79B11C566R', ['Sembra il codice dell’altro campo.']],
  ['nre', 'A12345678901', ['Se è una ricetta bianca, serve anche «PIN» con il suo numero.']],
  ['nre', 'A12345678901 PIN 12345', []],
  ['nre', 'A12345678901 PIN:12345 67', ['«67» non è un codice completo.']],
  ['nre', '1300A4000000248 1200A12345', ['«1200A12345» non è un codice completo.']],
  ['nre', '1300A4000000248, 12345, grazie', ['«12345» non è un codice completo.']],
  ['nre', '1300A4000000248 RSSMRA79B11C566R', []],
  [
    'nre',
    '1300A4000000248 RSSMRA79B11C566Q',
    ['Il carattere di controllo non torna: forse c’è un errore.'],
  ],
  ['nre', 'ABCDEFGHIJKLMNO', ['Questo codice ha una lettera o una cifra al posto sbagliato.']],
  ['taxCode', 'rssmra79b11c566r', []],
  ['taxCode', 'RSSMRA79B11C56SO', []],
  ['taxCode', '12345678903', []],
  ['taxCode', 'RSSMRA79B11C566Q', ['Il carattere di controllo non torna: forse c’è un errore.']],
  ['taxCode', 'PROVAX00X00X000Y', ['Il giorno o il mese di nascita non esiste.']],
  ['taxCode', 'RSSMRA79B11C566', ['Questo codice ha 15 caratteri: ne servono 16.']],
  ['taxCode', 'RSSMRA79B11C5661', ['Questo codice ha una lettera o una cifra al posto sbagliato.']],
  ['taxCode', 'RSSMRA79B11C566R 12345', ['«12345» non è un codice completo.']],
  ['taxCode', '1300A4000000248', ['Sembra il codice dell’altro campo.']],
])('in the field %s, %j leaves these doubts', (field, typed, doubts) => {
  expect(doubtsOf(field, typed)).toEqual(doubts)
})
