import { describe, expect, it } from 'vitest'
import { numbersIn, phoneNumbers } from './phone-numbers.ts'

describe('what a pharmacy writes as its telephone', () => {
  it.each([
    ['333 123 4567', '+393331234567'],
    ['0039 333 1234567', '+393331234567'],
    ['39 333 1234567', '+393331234567'],
    ['+39 333-1234567', '+393331234567'],
    // The zero of a landline stays.
    ['055 123456', '+39055123456'],
    ['+39 055 123 4567', '+390551234567'],
    ['(055) 12.34.56', '+39055123456'],
    ['06/1234567', '+39061234567'],
    ['800 123456', '+39800123456'],
    ['+41 44 668 18 00', '+41446681800'],
  ])('%s is %s', async (written, number) => {
    expect(await phoneNumbers(written)).toEqual({
      callNumber: number,
      whatsAppNumber: number.slice(1),
    })
  })

  it.each(['055 123456 / 333 1234567', '055 123456 - 333.1234567', '055 123456 o 333 1234567'])(
    '%s is two: who calls gets the first, a chat the mobile',
    async (written) => {
      expect(await phoneNumbers(written)).toEqual({
        callNumber: '+39055123456',
        whatsAppNumber: '393331234567',
      })
    },
  )

  it.each(['041 520 1234 / 5', '041 5201234/5', '06 123456 / 78'])(
    '%s is called without the second ending, and is a number with it, too',
    async (written) => {
      expect(await phoneNumbers(written)).toMatchObject({
        callNumber: `+39${written.split('/')[0]?.replaceAll(/\D/g, '')}`,
      })
      expect(await numbersIn(written)).toContain(`+39${written.replaceAll(/\D/g, '')}`)
    },
  )

  it.each([null, '', ' ', 'n/d', '12', 'chiedere al banco', '1'.repeat(5_000)])(
    '%j is no number',
    async (written) => {
      expect(await phoneNumbers(written)).toEqual({ callNumber: null, whatsAppNumber: null })
    },
  )
})
