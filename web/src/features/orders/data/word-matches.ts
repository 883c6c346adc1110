import { searchedNumber } from '@bancone/contract/searched-number'

/** Letters and digits in lower case without accents. White space becomes a space; everything else is removed. */
function folded(letter: string): string {
  if (/^\s/.test(letter)) return ' '
  return letter
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The words of a search, normalized for comparison. */
export function wordsOf(search: string): string[] {
  const words = Array.from(searchedNumber(search) ?? search, folded)
    .join('')
    .split(' ')
  return [...new Set(words.filter((word) => word !== ''))]
}

export type Part = { text: string; found: boolean }

/** The text split into matching and other parts. */
export function matchingParts(original: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [{ text: original, found: false }]
  const characters = Array.from(original.normalize('NFC'))
  // For each normalized letter, the index of its character in the text.
  const places: number[] = []
  let letters = ''
  for (const [place, character] of characters.entries()) {
    const plain = folded(character)
    letters += plain
    for (let count = 0; count < plain.length; count++) places.push(place)
  }
  const found = new Set<number>()
  for (const word of words) {
    for (let at = letters.indexOf(word); at !== -1; at = letters.indexOf(word, at + 1)) {
      const last = places[at + word.length - 1] ?? 0
      for (let place = places[at] ?? 0; place <= last; place++) found.add(place)
    }
  }
  const parts: Part[] = []
  for (const [place, character] of characters.entries()) {
    const part = parts.at(-1)
    if (part?.found === found.has(place)) part.text += character
    else parts.push({ text: character, found: found.has(place) })
  }
  return parts
}
