import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import type * as WordMatches from './word-matches.ts'

/** Finds what was looked for in a text; null while nothing is looked for. */
type Finder = ((text: string) => { text: string; found: boolean }[]) | null

type Matches = typeof WordMatches

const SearchedWords = createContext<Finder>(null)

/** Within it `Highlighted` marks what the orders that are shown were found by. */
export function SearchedWordsProvider(props: { search: string | undefined; children: ReactNode }) {
  const { search, children } = props
  const matches = useWordMatches(search !== undefined)
  const finder = useMemo(() => {
    if (search === undefined || matches === null) return null
    const words = matches.wordsOf(search)
    return (text: string) => matches.matchingParts(text, words)
  }, [search, matches])
  return <SearchedWords value={finder}>{children}</SearchedWords>
}

/** The code that finds words comes with the first search. Without it nothing is marked. */
function useWordMatches(needed: boolean): Matches | null {
  const [matches, setMatches] = useState<Matches | null>(null)
  useEffect(() => {
    if (needed) import('./word-matches.ts').then(setMatches, () => undefined)
  }, [needed])
  return matches
}

type HighlightedProps = {
  text: string
  /** How a piece of it is shown, where not as it is. */
  render?: (piece: string) => ReactNode
}

/** A text of an order; where it was looked for, what was found in it is marked. */
export function Highlighted({ text, render = (piece) => piece }: HighlightedProps) {
  const finder = useContext(SearchedWords)
  if (finder === null) return render(text)
  return finder(text).map((part, index) => {
    const Piece = part.found ? 'mark' : Fragment
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
      <Piece key={index}>{render(part.text)}</Piece>
    )
  })
}
