import { useEffect, useEffectEvent, useState } from 'react'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'
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

/** Search text and sorting of the list. */
export function OfferFilters({ address, go }: { address: OffersAddress; go: Go }) {
  const typing = useTyping(address.q, go)
  return (
    <div className="flex gap-2">
      <SearchField
        placeholder="Nome, codice o categoria"
        value={typing.text}
        maxLength={MAX_LETTERS}
        className="lg:max-w-md [&_input]:placeholder-shown:pr-2"
        onType={typing.type}
        onKeyDown={({ key }) => (key === 'Escape' ? typing.type('') : undefined)}
        onClear={() => typing.type('')}
      />
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
