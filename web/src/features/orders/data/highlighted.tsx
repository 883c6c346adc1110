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

/** Splits a text into found and other parts; null without a search. */
type Finder = ((text: string) => { text: string; found: boolean }[]) | null

type Matches = typeof WordMatches

const SearchedWords = createContext<Finder>(null)

/** `Highlighted` texts inside it mark the words of `search`. */
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

/** The code is loaded with the first search. Without it nothing is marked. */
function useWordMatches(needed: boolean): Matches | null {
  const [matches, setMatches] = useState<Matches | null>(null)
  useEffect(() => {
    if (needed) import('./word-matches.ts').then(setMatches, () => undefined)
  }, [needed])
  return matches
}

type HighlightedProps = {
  text: string
  /** Renders a part of the text, if not as plain text. */
  render?: (piece: string) => ReactNode
}

/** A text of an order with the searched words marked. */
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

/** Allows line breaks after hyphens and slashes. */
function breakable(number: string) {
  // Also at the end, since another part may follow.
  return number.split(/(?<=[-/_.])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
    <Fragment key={index}>
      {piece}
      {/[-/_.]$/.test(piece) ? <wbr /> : null}
    </Fragment>
  ))
}

/** An order number, which may break after hyphens and slashes. */
export function OrderNumber({ number }: { number: string }) {
  return (
    <span className="wrap-anywhere">
      <Highlighted text={number} render={breakable} />
    </span>
  )
}
