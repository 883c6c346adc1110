import { Search, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NativeSelect } from '../../ui/native-select.tsx'
import { sortings } from './offer-sortings.ts'
import { type Go, MAX_LETTERS, OfferSorting, type OffersAddress } from './offers-address.ts'

/** Debounce of the URL in milliseconds: browsers limit the rate of its changes. */
const PAUSE_MS = 200

function useTyping(q: string, go: Go) {
  /** Text that is not in the URL yet. */
  const [draft, setDraft] = useState<string | null>(null)
  if (draft !== null && draft === q) setDraft(null)
  const write = useEffectEvent((text: string) => go({ q: text }, { replace: true }))
  useEffect(() => {
    if (draft === null) return
    const timer = setTimeout(() => write(draft), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  return { text: draft ?? q, type: setDraft }
}

function SearchBox({ q, go }: { q: string; go: Go }) {
  const input = useRef<HTMLInputElement>(null)
  const { text, type } = useTyping(q, go)
  return (
    // Not a `search` element, which not all browsers know.
    <div role="search" className="relative min-w-0 flex-1 lg:max-w-md">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        type="search"
        aria-label="Cerca"
        placeholder="Nome, codice o categoria"
        value={text}
        maxLength={MAX_LETTERS}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => (key === 'Escape' ? type('') : undefined)}
        className="h-11 w-full rounded-control border border-control bg-surface pr-11 pl-9 text-base text-ellipsis transition-colors placeholder:text-muted placeholder-shown:pr-2 hover:border-muted md:h-9 md:text-sm pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
      />
      {text === '' ? null : (
        <button
          type="button"
          aria-label="Cancella la ricerca"
          onClick={() => {
            type('')
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

/** Search text and sorting of the list. */
export function OfferFilters({ address, go }: { address: OffersAddress; go: Go }) {
  return (
    <div className="flex gap-2">
      <SearchBox q={address.q} go={go} />
      <NativeSelect
        label="Ordina per"
        className="max-sm:w-36"
        value={address.ordina}
        onChange={({ target }) => go({ ordina: OfferSorting.parse(target.value) })}
      >
        {sortings.map(({ sorting, text }) => (
          <option key={sorting} value={sorting}>
            {text}
          </option>
        ))}
      </NativeSelect>
    </div>
  )
}
