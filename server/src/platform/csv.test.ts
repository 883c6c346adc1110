import { describe, expect, it } from 'vitest'
import { originalText, spreadsheetText, telephone } from './csv.ts'

describe('a cell of a CSV file for Excel', () => {
  // Zeros, more digits than a cell shows, powers, days, times and truth values.
  const changed = [
    '0012|00| 0012 |1,50|1.5|123456789012|8033661234567|5%|€5|3E5|12e-3|1,5E+10|1-2|1/2|03/04/2026|12.5.26|1:30',
    '10 pm|1 1/2|MAR1|sept2|1 mag|3-gen-2026|dic-26|Maggio 2026|VERO|false',
  ].flatMap((line) => line.split('|'))

  it.each(changed)('keeps %j as a text', (text) => {
    expect(spreadsheetText(text)).toBe(`="${text}"`)
    expect(originalText(spreadsheetText(text))).toBe(text)
  })

  it.each(['0', '7', '4711', '12345678901', '', 'Tachipirina 1000', '1 scatola', 'A0012', '10 20'])(
    'has nothing added to %j',
    (text) => {
      expect(spreadsheetText(text)).toBe(text)
    },
  )

  it.each([
    'Marina 12 bis',
    'Maria 2',
    'Marco',
    'Maggio',
    '2026-11-22',
    '041 5201234',
    '22/11/2026 10:30',
    '10:30',
    '"0012"',
    `3E5"&A1`,
  ])(
    'has nothing added to %j either, which Excel leaves alone or knows as a day or a time',
    (text) => {
      expect(spreadsheetText(text)).toBe(text)
    },
  )

  it.each(['=1+1', '="0012"', '-1-2', '+39 041', '@SUM(1)', '\t=1', ' =1', "=cmd|'/c calc'!A0"])(
    'is no formula: %j',
    (text) => {
      expect(spreadsheetText(text)).toBe(`'${text}`)
      expect(originalText(`'${text}`)).toBe(text)
    },
  )

  it('that was written by hand is not changed when it is read', () => {
    for (const text of ["'Ndrangheta", `="x"`, `=""`, "''", '"']) {
      expect(originalText(text)).toBe(text)
    }
  })

  it('has a telephone number in groups', () => {
    expect(telephone('0412345678')).toBe('041 2345678')
    expect(telephone('1-2')).toBe('="1-2"')
  })
})
