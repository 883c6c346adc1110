import { expect, test } from 'vitest'
import { codeNote } from './product-image-search.tsx'

test.each([
  // Typed so far, and left there.
  ['', null, null],
  ['0341', null, 'error'],
  // On its way to nine digits it looks like a bar code, and then like one that lost its 0.
  ['034208', null, 'error'],
  ['03420802', null, 'error'],
  ['034208013', 'right', 'right'],
  ['A034208013', 'right', 'right'],
  ['a 034 208 013', 'right', 'right'],
  ['034208014', 'error', 'error'],
  ['A034208014', 'error', 'error'],
  ['934208014', 'warning', 'warning'],
  ['0D4YD5', 'right', 'right'],
  ['A0D4YD5', 'right', 'right'],
  ['0D4YD6', 'error', 'error'],
  ['34208013', null, 'right'],
  ['03420801300', 'error', 'error'],
  ['tachipirina', 'error', 'error'],
])('%j is %s while it is typed, and %s when it is left', (text, typing, left) => {
  expect(codeNote(text, false)?.tone ?? null).toBe(typing)
  expect(codeNote(text, true)?.tone ?? null).toBe(left)
})
