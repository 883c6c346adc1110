import { expect, it } from 'vitest'
import { editDistance, nearestTexts } from './order-suggestions.rules.ts'

const vocabulary = [
  { word: 'tachipirina', count: 40 },
  { word: 'tachifludec', count: 3 },
  { word: 'rossi', count: 12 },
  { word: 'rosso', count: 1 },
  { word: 'mario', count: 9 },
  { word: '1000', count: 30 },
]

it.each([
  ['', '', 0],
  ['rossi', 'rossi', 0],
  ['rosi', 'rossi', 1],
  ['rosssi', 'rossi', 1],
  ['rozsi', 'rossi', 1],
  ['orssi', 'rossi', 1],
  ['tachpirna', 'tachipirina', 2],
  ['abc', '', 3],
])('between %s and %s are %i letters', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance)
})

it.each([
  ['tachipirna', ['tachipirina']],
  ['tachipirna 1000', ['tachipirina 1000']],
  ['tachpirna 999', ['tachipirina 999']],
  ['rosse', ['rossi', 'rosso']],
  ['maroi rosse', ['mario rossi']],
  // What occurs, whole or in part, is right.
  ['tachi', []],
  ['mario rossi', []],
  ['tac', []],
  ['1001', []],
  // There is nothing near it.
  ['aspirina', []],
  ['rosse aspirina', []],
])('for %s it is suggested: %j', (typed, texts) => {
  expect(nearestTexts(typed.split(' '), vocabulary)).toEqual(texts)
})
