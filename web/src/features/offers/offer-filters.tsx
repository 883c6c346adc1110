import { useSearchText } from '../../lib/use-search-text.ts'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { sortings } from './offer-sortings.ts'
import { type Go, MAX_LETTERS, OfferSorting, type OffersAddress } from './offers-address.ts'

/** Search text and sorting of the list. */
export function OfferFilters({ address, go }: { address: OffersAddress; go: Go }) {
  const search = useSearchText({
    inUrl: address.q,
    normalize: (text) => text,
    onSearch: (q) => go({ q }, { replace: true }),
  })
  return (
    <div className="flex gap-2">
      <SearchField
        placeholder="Nome, codice o categoria"
        value={search.text}
        maxLength={MAX_LETTERS}
        className="lg:max-w-md [&_input]:placeholder-shown:pr-2"
        onType={search.type}
        onKeyDown={({ key }) => (key === 'Escape' ? search.clear() : undefined)}
        onClear={search.clear}
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
