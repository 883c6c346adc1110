import { expect, test } from 'vitest'
import { readPhone, whatsAppLink } from './phone-number.ts'

test.each([
  ['+39 333 123 4567', '393331234567'],
  ['333 123 4567', '393331234567'],
  ['333-123.4567', '393331234567'],
  ['393331234567', '393331234567'],
  ['0039 333 1234567', '393331234567'],
  ['333 1234567 (moglie)', '393331234567'],
  ['02 1234567', '39021234567'],
  ['+41 79 123 45 67', '41791234567'],
])('the number %s is called as +%s', (text, digits) => {
  expect(readPhone(text)).toEqual({ call: `tel:+${digits}`, whatsApp: digits })
})

test.each(['', '12', 'chiamare la sera', '333 1234567 / 02 1234567'])('%j is no number', (text) => {
  expect(readPhone(text)).toBeNull()
})

test('a text goes whole into the link', () => {
  const phone = readPhone('333 123 4567')
  const link = phone && whatsAppLink(phone, 'Gentile Dall’Ò & figli,\n50% #1 + due?')
  expect(link).toMatch(/^https:\/\/wa\.me\/393331234567\?text=/)
  expect(new URL(link ?? '').searchParams.get('text')).toBe(
    'Gentile Dall’Ò & figli,\n50% #1 + due?',
  )
})
