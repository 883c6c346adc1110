import { SearchText } from '@bancone/contract/order-search'
import { LoaderCircle, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { focusOrders } from './orders-place.ts'
import type { Go, OrdersAsked } from './orders-search.ts'

const PAUSE_MS = 250
const MOST_LETTERS = 100
const boxId = 'cerca-ordini'

/** Where words are typed; what stands there is selected, so that the next replace it. */
export function focusSearch() {
  const box = document.getElementById(boxId)
  box?.focus()
  if (box instanceof HTMLInputElement) box.select()
}

/** What is typed, as it is asked for; empty when that is nothing. */
function askedFor(text: string): string {
  return SearchText.safeParse(text).data ?? ''
}

/**
 * What was typed, as it was typed. `over`: the words in the address it stands over, and after them those it
 * has asked for that are not there yet.
 */
type Draft = { text: string; over: readonly string[] }

/**
 * The text of the box, which the address follows at a pause: a whole search is one entry of the history.
 * When something else has changed the address, that is what stands in the box.
 */
function useTyping({ query, go }: { query: OrdersAsked; go: Go }) {
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

  // Drafts are set as a whole, not made from the one before: that may be of a rendering React gave up.
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
  query: OrdersAsked
  go: Go
  /** What was asked for last is on its way. */
  waiting: boolean
}

export function SearchBox({ query, go, waiting }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const wide = useMediaQuery(WIDE)
  const { text, type, askNow, clear } = useTyping({ query, go })
  const Icon = waiting && text !== '' ? LoaderCircle : Search

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      askNow()
      // On a phone that puts the keys away, which cover what was found.
      if (!wide) input.current?.blur()
    } else if (event.key === 'Escape') {
      if (text === '') focusOrders()
      else clear()
    } else return
    event.preventDefault()
  }

  return (
    // A `search` element would do, were it known everywhere.
    <div role="search" className="relative min-w-0 flex-1 lg:min-w-56">
      <Icon
        aria-hidden
        className={cn(
          'pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted',
          Icon === LoaderCircle && 'animate-spin text-accent motion-reduce:animate-none',
        )}
      />
      <input
        ref={input}
        id={boxId}
        type="search"
        aria-label="Cerca"
        placeholder="Numero, cliente, telefono, indirizzo o prodotto"
        value={text}
        maxLength={MOST_LETTERS}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        className={cn(
          'h-11 w-full rounded-control border border-control bg-surface pr-11 pl-9 text-base text-ellipsis',
          'transition-colors placeholder:text-muted hover:border-muted md:h-9 md:text-sm pointer-coarse:h-11',
          '[&::-webkit-search-cancel-button]:hidden',
        )}
      />
      {text === '' ? null : (
        <button
          type="button"
          aria-label="Cancella la ricerca"
          onClick={() => {
            clear()
            input.current?.focus()
          }}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
