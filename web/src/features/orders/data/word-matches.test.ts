import { expect, test } from 'vitest'
import { matchingParts, wordsOf } from './word-matches.ts'

test.each([
  ['', []],
  ['  Mario   ROSSI ', ['mario', 'rossi']],
  ["Nicolò D'Angelo", ['nicolo', 'dangelo']],
  ['B-2 b2', ['b2']],
  ['--', []],
  ['ordine n. 472', ['472']],
])('the words of %j are %j', (search, words) => {
  expect(wordsOf(search)).toEqual(words)
})

/** The text with what was found in brackets. */
function marked(text: string, search: string): string {
  const parts = matchingParts(text, wordsOf(search))
  return parts.map((part) => (part.found ? `[${part.text}]` : part.text)).join('')
}

test.each([
  ['Mario Rossi', '', 'Mario Rossi'],
  ['Mario Rossi', 'ross', 'Mario [Ross]i'],
  ['Mario Rossi', 'rossi mar', '[Mar]io [Rossi]'],
  ['Nicolò Però', 'NICOLO pero', '[Nicolò] [Però]'],
  ['Nicolo\u0300', 'nicolò', '[Nicolò]'],
  ["Via dell'Orso, 12", 'dellorso 12', "Via [dell'Orso], [12]"],
  ['A-1001', '1001', 'A-[1001]'],
  ['A-1001', 'a1001', '[A-1001]'],
  ['banana', 'ana', 'b[anana]'],
  ['Aspirina 💊 forte', 'forte', 'Aspirina 💊 [forte]'],
  // A word is looked for by itself: not across a gap.
  ['per tosse', 'pert', 'per tosse'],
])('in %j the words %j are marked as %s', (text, search, expected) => {
  expect(marked(text, search)).toBe(expected)
})
