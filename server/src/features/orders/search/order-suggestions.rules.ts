import { MAX_SUGGESTIONS } from '@bancone/contract/order-search'

/** A word of the orders, and in how many places it is. */
export type Word = { word: string; count: number }

/** Shorter words are too near to too many others. */
const MIN_LENGTH = 4

/**
 * The typed text with the nearest words in place of those that occur in no order, the nearest and most frequent first.
 * Numbers are not replaced.
 *
 * @returns none when all words occur, or one of them has no word near it
 */
export function nearestTexts(typed: readonly string[], vocabulary: readonly Word[]): string[] {
  const choices: Choices[] = []
  for (const word of typed) {
    const choice = choicesFor(word, vocabulary)
    // The other words are not compared: each takes some milliseconds of the process.
    if (choice.words.length === 0) return []
    choices.push(choice)
  }
  const varied = choices.findIndex(({ occurs }) => !occurs)
  return (choices[varied]?.words ?? [])
    .slice(0, MAX_SUGGESTIONS)
    .map((candidate) =>
      choices.map(({ words }, index) => (index === varied ? candidate : words[0])).join(' '),
    )
}

/** `words`: the word itself where it occurs, or else those near it, the best first. */
type Choices = { occurs: boolean; words: string[] }

function choicesFor(typed: string, vocabulary: readonly Word[]): Choices {
  const isFixed = typed.length < MIN_LENGTH || /\d/.test(typed)
  if (isFixed || vocabulary.some(({ word }) => word.includes(typed))) {
    return { occurs: true, words: [typed] }
  }
  const furthest = typed.length < 6 ? 1 : 2
  const near = vocabulary
    .filter(({ word }) => Math.abs(word.length - typed.length) <= furthest)
    .map(({ word, count }) => ({ word, count, distance: editDistance(typed, word) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || b.count - a.count || (a.word < b.word ? -1 : 1))
  return { occurs: false, words: near.map(({ word }) => word) }
}

/** The number of letters to add, leave out, replace or swap with the next one (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + same,
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
