import { SearchText } from '@bancone/contract/order-search'
import type { KeyboardEvent } from 'react'
import { announceScan } from '../../../lib/scans.ts'
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

/** A codice fiscale with a digit, or an NRE. */
const CODE =
  /^(?:CF|NRE)?((?=.*\d)[A-Z]{6}(?:[\dLMNP-V]{2}[A-Z]){2}[\dLMNP-V]{3}[A-Z]|(?:0[1-9]|1\d|20)\d[\dA-Z]{2}\d{10})$/

/** The code that a text is, however it was typed. */
function prescriptionCode(text: string): string | undefined {
  return CODE.exec(text.replace(/[^0-9a-z]/gi, '').toUpperCase())?.[1]
}

/** Codes are health data, and stay out of the address. */
function normalize(text: string): string {
  return prescriptionCode(text) ? '' : (SearchText.safeParse(text).data ?? '')
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

  /** Takes a code out of the field and looks for it. @returns whether the text was one */
  function takeCode(text: string): boolean {
    const code = prescriptionCode(text)
    const isTaken = code !== undefined && announceScan(code)
    if (isTaken) search.drop()
    return isTaken
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') {
      if (!takeCode(search.text)) search.searchNow()
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
      search={{
        ...search,
        type: (text) => (takeCode(text) ? undefined : search.type(text)),
      }}
      placeholder="Numero, cliente, telefono, indirizzo o prodotto"
      maxLength={MAX_LETTERS}
      busy={waiting && search.text !== ''}
      className="lg:min-w-56"
      onKeyDown={onKeyDown}
    />
  )
}
