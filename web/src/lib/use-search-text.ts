import { useEffect, useEffectEvent, useRef, useState } from 'react'

const PAUSE_MS = 250

/**
 * The text of the field while it differs from the URL. `navigated`: the search text in the URL when typing began,
 * followed by those navigated to that are not in the URL yet.
 */
type Draft = { text: string; navigated: readonly string[] }

type SearchTextOptions = {
  /** The search text in the URL; empty when there is none. */
  inUrl: string
  /** The text as it is put into the URL; empty when there is nothing to search for. */
  normalize?: (text: string) => string
  /** Puts the text into the URL. `replace`: the search has its history entry already. */
  onSearch: (text: string, options: { replace: boolean }) => void
}

/**
 * The text of a search field. The URL follows after a pause in typing. When the URL is changed by other means, the
 * field shows the new search.
 */
export function useSearchText({ inUrl, normalize = (text) => text, onSearch }: SearchTextOptions) {
  const [draft, setDraft] = useState<Draft | null>(null)
  if (draft && draft.navigated[0] !== inUrl) {
    const at = draft.navigated.lastIndexOf(inUrl)
    setDraft(at === -1 ? null : { ...draft, navigated: draft.navigated.slice(at) })
  }
  const { text, navigated } = draft ?? { text: inUrl, navigated: [inUrl] }
  const words = normalize(text)
  const settled = words === navigated.at(-1)
  const hasEntry = inUrl !== '' || navigated.length > 1

  /** What was navigated to, for a key that comes before the render that follows a search. */
  const latest = useRef(navigated)

  // A draft is replaced as a whole. A functional update might start from a state of a discarded render.
  function put(typed: string, searches: readonly string[]) {
    latest.current = searches
    setDraft({ text: typed, navigated: searches })
  }

  function search(wanted: string) {
    put(text, [...navigated, wanted])
    onSearch(wanted, { replace: hasEntry })
  }
  function empty(replace: boolean) {
    put('', hasEntry ? [...navigated, ''] : navigated)
    if (hasEntry) onSearch('', { replace })
  }
  const searchAfterPause = useEffectEvent(search)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => searchAfterPause(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, settled])

  return {
    text,
    type: (typed: string) => put(typed, draft ? latest.current : [inUrl]),
    searchNow: () => (settled ? undefined : search(words)),
    clear: () => empty(false),
    /** Clears the field, and leaves no history entry with its text. */
    drop: () => empty(true),
  }
}
