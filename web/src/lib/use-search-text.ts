import { useEffect, useEffectEvent, useState } from 'react'

const PAUSE_MS = 250

/**
 * The text of the field while it differs from the URL. `over`: the search text in the URL when typing began, followed
 * by those navigated to that are not in the URL yet.
 */
type Draft = { text: string; over: readonly string[] }

type SearchTextOptions = {
  /** The search text in the URL; empty when there is none. */
  asked: string
  /** The text as it is put into the URL; empty when there is nothing to search for. */
  normalize: (text: string) => string
  /** Puts the text into the URL. `replace`: the search has its history entry already. */
  onSearch: (text: string, options: { replace: boolean }) => void
}

/**
 * The text of a search field. The URL follows after a pause in typing. When the URL is changed by other means, the
 * field shows the new search.
 */
export function useSearchText({ asked, normalize, onSearch }: SearchTextOptions) {
  const [draft, setDraft] = useState<Draft | null>(null)
  if (draft && draft.over[0] !== asked) {
    const at = draft.over.lastIndexOf(asked)
    setDraft(at === -1 ? null : { ...draft, over: draft.over.slice(at) })
  }
  const { text, over } = draft ?? { text: asked, over: [asked] }
  const words = normalize(text)
  const settled = words === over.at(-1)
  const began = asked !== '' || over.length > 1

  // A draft is replaced as a whole. A functional update might start from a state of a discarded render.
  function search(wanted: string) {
    setDraft({ text, over: [...over, wanted] })
    onSearch(wanted, { replace: began })
  }
  const searchAfterPause = useEffectEvent(search)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => searchAfterPause(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, settled])

  return {
    text,
    type: (typed: string) => setDraft({ text: typed, over }),
    searchNow: () => (settled ? undefined : search(words)),
    clear() {
      setDraft({ text: '', over: began ? [...over, ''] : over })
      if (began) onSearch('', { replace: false })
    },
  }
}
