/** Letters and digits without accents and in lower case; what is neither is left out, or is a gap. */
function folded(letter: string): string {
  if (/^\s/.test(letter)) return ' '
  return letter
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The words of a search, as they are compared. */
export function wordsOf(search: string): string[] {
  const words = Array.from(search, folded).join('').split(' ')
  return [...new Set(words.filter((word) => word !== ''))]
}

export type Part = { text: string; found: boolean }

/** The text in parts: what one of the words was found in, and what lies between. */
export function matchingParts(original: string, words: readonly string[]): Part[] {
  if (words.length === 0) return [{ text: original, found: false }]
  const characters = Array.from(original.normalize('NFC'))
  // Where in the text each of the letters stands that are compared.
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
