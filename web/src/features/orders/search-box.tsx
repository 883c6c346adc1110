import { SearchText } from '@bancone/contract/order-search'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { focusOrders } from './orders-focus.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'

const PAUSE_MS = 250
const MAX_LETTERS = 100
const boxId = 'cerca-ordini'

/** Focuses the search field and selects its content. */
export function focusSearch() {
  const box = document.getElementById(boxId)
  box?.focus()
  if (box instanceof HTMLInputElement) box.select()
}

/** The normalized search text; empty when there is none. */
function askedFor(text: string): string {
  return SearchText.safeParse(text).data ?? ''
}

/**
 * The text of the field while it differs from the URL. `over`: the search text in the URL when typing began, followed
 * by those navigated to that are not in the URL yet.
 */
type Draft = { text: string; over: readonly string[] }

/**
 * The text of the field. The URL follows after a pause in typing; a whole search is one history entry. When the URL
 * is changed by other means, the field shows the new search.
 */
function useTyping({ query, go }: { query: OrdersListQuery; go: Go }) {
  const address = query.q ?? ''
  const [draft, setDraft] = useState<Draft | null>(null)
  if (draft && draft.over[0] !== address) {
    const at = draft.over.lastIndexOf(address)
    setDraft(at === -1 ? null : { ...draft, over: draft.over.slice(at) })
  }
  const { text, over } = draft ?? { text: address, over: [address] }
  const words = askedFor(text)
  const settled = words === over.at(-1)
  const began = address !== '' || over.length > 1

  // A draft is replaced as a whole. A functional update might start from a state of a discarded render.
  function ask(wanted: string) {
    setDraft({ text, over: [...over, wanted] })
    go({ q: wanted === '' ? undefined : wanted }, { replace: began })
  }
  const askAfterPause = useEffectEvent(ask)
  useEffect(() => {
    if (settled) return
    const timer = setTimeout(() => askAfterPause(words), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, settled])

  return {
    text,
    type: (typed: string) => setDraft({ text: typed, over }),
    askNow: () => (settled ? undefined : ask(words)),
    clear() {
      setDraft({ text: '', over: began ? [...over, ''] : over })
      if (began) go({ q: undefined })
    },
  }
}

type SearchBoxProps = {
  query: OrdersListQuery
  go: Go
  /** The query is being fetched. */
  waiting: boolean
}

export function SearchBox({ query, go, waiting }: SearchBoxProps) {
  const wide = useMediaQuery(WIDE)
  const { text, type, askNow, clear } = useTyping({ query, go })

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      askNow()
      // Hides the on-screen keyboard, which covers the results.
      if (!wide) event.currentTarget.blur()
    } else if (event.key === 'Escape') {
      if (text === '') focusOrders()
      else clear()
    } else return
    event.preventDefault()
  }

  return (
    <SearchField
      id={boxId}
      placeholder="Numero, cliente, telefono, indirizzo o prodotto"
      value={text}
      maxLength={MAX_LETTERS}
      busy={waiting && text !== ''}
      className="lg:min-w-56"
      onType={type}
      onKeyDown={onKeyDown}
      onClear={clear}
    />
  )
}
