import { REPLY_TEXT_LENGTH, REPLY_TITLE_LENGTH } from '@bancone/contract/reply-texts'
import { expect, test } from 'vitest'
import { order } from '../../../../test/fixtures.ts'
import { fillReply, unknownPlaceholders } from '../../../lib/reply-placeholders.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { viewOrder } from '../data/order-view.ts'

const giulia = viewOrder(order(7, { Cliente: 'Giulia $& Bianchi', Ordine: 'Cerotti' }))

test.each([
  ['Gentile {nome}, ordine {numero}: {numero}', 'Gentile Giulia $& Bianchi, ordine 7: 7'],
  ['{telefono} {Nome}', '{telefono} {Nome}'],
  ['', ''],
])('%j is filled to %j', (text, filled) => {
  expect(fillReply(text, giulia)).toBe(filled)
})

test('who has no name is a customer', () => {
  expect(fillReply('Gentile {nome}', { ...giulia, customer: null })).toBe('Gentile cliente')
})

test.each([
  ['{nome} {numero}', []],
  ['{telefono}, {Nome} e {telefono}', ['{telefono}', '{Nome}']],
  ['{ } e {\n}', ['{ }']],
  ['{}', []],
])('of %j these are unknown: %j', (text, unknown) => {
  expect(unknownPlaceholders(text)).toEqual(unknown)
})

test('the suggestions may be saved, speak of the number, and never of what was ordered', () => {
  for (const { title, text } of replySuggestions) {
    expect(title.length).toBeLessThanOrEqual(REPLY_TITLE_LENGTH)
    expect(text.length).toBeLessThanOrEqual(REPLY_TEXT_LENGTH)
    expect(unknownPlaceholders(text)).toEqual([])
    expect(fillReply(text, giulia)).toMatch(/^Gentile Giulia \$& Bianchi, .*Suo ordine n\. 7 /)
    expect(fillReply(text, giulia)).not.toContain('Cerotti')
  }
})
