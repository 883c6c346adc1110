import { MAX_DESCRIPTION_LENGTH } from '@bancone/contract/assistant'
import { describe, expect, it } from 'vitest'
import { checkedDraft } from './assistant.rules.ts'

const said = (reply: { description?: string; price?: string; minsan?: string }) =>
  checkedDraft({ description: null, price: null, minsan: null, ...reply })

describe('a draft', () => {
  it.each([
    ['€ 9,90', 990],
    ['1.234,50 €', 123_450],
    ['0,01', 1],
    ['9,9', 990],
  ])('has the price of %j', (price, cents) => {
    expect(said({ price }).price).toEqual({ text: price, cents, problem: null })
  })

  it.each([
    ['circa 12 euro', 'not_a_price'],
    ['9,90 - 12,50 €', 'not_a_price'],
    ['1,234', 'not_a_price'],
    ['1.234', 'not_a_price'],
    ['€ 1.234', 'not_a_price'],
    ['9-90', 'not_a_price'],
    ['gratis', 'not_a_price'],
    ['€ 0,00', 'not_positive'],
    ['-1', 'not_positive'],
    ['€ − 5,00', 'not_positive'],
  ])('shows the price %j and does not use it: %s', (price, problem) => {
    expect(said({ price }).price).toEqual({ text: price, cents: null, problem })
  })

  it.each([
    ['012745093', '012745093', null],
    ['A013046038', '013046038', null],
    ['34548014', '034548014', null],
    ['973344518', '973344518', 'unverified'],
    ['912345675', '912345675', 'unverified'],
  ])('has the code of %j', (minsan, code, problem) => {
    expect(said({ minsan }).minsan).toEqual({ text: minsan, code, problem })
  })

  it.each([
    ['028511099', 'check_digit'],
    ['12345', 'not_a_code'],
    // Bar codes as scanned; the check digit of the first is right.
    ['SPRTTN', 'not_a_code'],
    ['B12345', 'not_a_code'],
    ['A0D4YD5', 'not_a_code'],
    ['000000000', 'not_a_code'],
    ['00000000', 'not_a_code'],
    ['non disponibile', 'not_a_code'],
  ])('shows the code %j and does not use it: %s', (minsan, problem) => {
    expect(said({ minsan }).minsan).toEqual({ text: minsan, code: null, problem })
  })

  it('has nothing where nothing was said', () => {
    const nothing = { description: null, price: null, minsan: null }
    expect(said({})).toEqual(nothing)
    expect(said({ description: '<b></b>', price: '\u0000', minsan: ' ' })).toEqual(nothing)
  })

  it('shows what was said in one line, without HTML, and not more than fits', () => {
    const { description, price, minsan } = said({
      description: `<p>${'Una crema. '.repeat(1_000)}</p>`,
      price: '<b>circa</b>\n12 euro',
      minsan: 'x'.repeat(10_000),
    })
    expect(description?.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH)
    expect(price?.text).toBe('circa 12 euro')
    expect(minsan?.text).toBe(`${'x'.repeat(59)}…`)
  })
})
