import { describe, expect, it } from 'vitest'
import { Minsan, type MinsanCode, parseMinsan } from './minsan.ts'

/** Packs in the open data of AIFA (CC BY 4.0), the Italian Medicines Agency. */
const packs = [
  '023605114',
  '024173080',
  '024444123',
  '025430101',
  '026073027',
  '026893040',
  '028404010',
  '029480050',
  '034254021',
  '026416255',
  '026925065',
  '035386059',
  '027308016',
  '033081011',
  '034836015',
  '027130069',
  '034208013',
  '044155024',
  '033007042',
  '040497291',
  '012745093',
  '012745028',
  '028561037',
  // A veterinary medicine.
  '105070015',
]

describe('the code of a pack', () => {
  it.each(packs)('%s has a right check digit', (code) => {
    expect(parseMinsan(code)).toEqual({ code, check: 'valid' })
  })

  it.each(packs)('%s is told from each that differs in one digit', (code) => {
    for (let place = 1; place < code.length; place += 1) {
      for (const digit of '0123456789'.replace(code[place] ?? '', '')) {
        if (code.startsWith('10') && place < 2) continue
        const other = code.slice(0, place) + digit + code.slice(place + 1)
        expect(parseMinsan(other), other).toEqual({ code: other, check: 'wrong' })
      }
    }
  })
})

describe('typed or scanned text', () => {
  it.each<[string, string, MinsanCode['check']]>([
    ['A012745093', '012745093', 'valid'],
    ['a012745093', '012745093', 'valid'],
    [' 012 745 093 ', '012745093', 'valid'],
    ['012745-093', '012745093', 'valid'],
    ['012.745.093', '012745093', 'valid'],
    ['12745093', '012745093', 'valid'],
    ['A12745093', '012745093', 'valid'],
    ['0D4YD5', '012745093', 'valid'],
    ['A0D4YD5', '012745093', 'valid'],
    ['a0d4yd5', '012745093', 'valid'],
    ['12745094', '012745094', 'wrong'],
    ['0D4YD6', '012745094', 'wrong'],
    ['A105070015', '105070015', 'valid'],
    ['105070016', '105070016', 'wrong'],
    // Not the code of a medicine, so its check digit cannot be verified.
    ['912345678', '912345678', 'unverified'],
    ['A912345678', '912345678', 'unverified'],
    // The last digit would be correct for a medicine, as it is for every tenth random code.
    ['912345675', '912345675', 'unverified'],
  ])('%j is %s, %s', (text, code, check) => {
    expect(parseMinsan(text)).toEqual({ code, check })
  })

  it.each([
    '',
    ' ',
    'A',
    '1234567',
    '0127450930',
    'AA012745093',
    '01274509X',
    'Tachipirina',
    // A common placeholder for 'no code'.
    '000000000',
    'A00000000',
    // Letters that Code 32 excludes, because they resemble digits.
    '0D4YDO',
    '0D4YDI',
    '0D4YDA',
    '0D4YDE',
    // More than nine digits.
    'ZZZZZZ',
    // The code of a medicine without the package digits, which would be another code as a bar code.
    '012745',
    '999999',
    // Digits of another script.
    '٠١٢٧٤٥٠٩٣',
    '０１２７４５０９３',
    '-12745093e0',
  ])('%j is no code', (text) => {
    expect(parseMinsan(text)).toBeUndefined()
  })
})

describe('a code in a request', () => {
  it.each([
    ['A012745093', '012745093'],
    ['912345678', '912345678'],
  ])('%s is taken as %s', (text, code) => {
    expect(Minsan.parse(text)).toBe(code)
  })

  it.each(['012745094', 'Tachipirina', '', `${' '.repeat(40)}012745093`])('is not %j', (text) => {
    expect(Minsan.safeParse(text).success).toBe(false)
  })
})
