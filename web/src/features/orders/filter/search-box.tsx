import { SearchText } from '@bancone/contract/order-search'
import type { KeyboardEvent } from 'react'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { useSearchText } from '../../../lib/use-search-text.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { focusOrders } from '../data/orders-focus.ts'
import type { Go, OrdersListQuery } from '../data/orders-search.ts'

const MAX_LETTERS = 100
const boxId = 'cerca-ordini'

/** Focuses the search field and selects its content. */
export function focusSearch() {
  const box = document.getElementById(boxId)
  box?.focus()
  if (box instanceof HTMLInputElement) box.select()
}

function normalize(text: string): string {
  return SearchText.safeParse(text).data ?? ''
}

type SearchBoxProps = {
  query: OrdersListQuery
  go: Go
  /** The query is being fetched. */
  waiting: boolean
}

export function SearchBox({ query, go, waiting }: SearchBoxProps) {
  const wide = useMediaQuery(WIDE)
  const search = useSearchText({
    inUrl: query.q ?? '',
    normalize,
    onSearch: (words, options) => go({ q: words === '' ? undefined : words }, options),
  })

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      search.searchNow()
      // Hides the on-screen keyboard, which covers the results.
      if (!wide) event.currentTarget.blur()
    } else if (event.key === 'Escape') {
      if (search.text === '') focusOrders()
      else search.clear()
    } else return
    event.preventDefault()
  }

  return (
    <SearchField
      id={boxId}
      search={search}
      placeholder="Numero, cliente, telefono, indirizzo o prodotto"
      maxLength={MAX_LETTERS}
      busy={waiting && search.text !== ''}
      className="lg:min-w-56"
      onKeyDown={onKeyDown}
    />
  )
}
