import { SearchText } from '@bancone/contract/order-search'
import { type KeyboardEvent, useEffect, useRef } from 'react'
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

/** A codice fiscale with a digit, an NRE, or one of a foreigner, in a text without separators. */
const CODE =
  /(?=[A-Z]*\d)[A-Z]{6}(?:[\dLMNP-V]{2}[A-Z]){2}[\dLMNP-V]{3}[A-Z]|(?:0[1-9]|1\d|20)\d(?:[A-Z][\dA-Z]|\d[A-Z])\d{10}|(?:STP|ENI)\d{13}/
const NRE_OF_DIGITS = /^(?:NRE)?((?:0[1-9]|1\d|20)\d{13})$/
/** The beginning of a codice fiscale or of an NRE, or one with a mistake. */
const PART = /(?:^|[^0-9A-Z])(?:[A-Z]{6}\d{2}[A-Z]|[\dO]{3}(?:[A-Z][\dA-Z]|\d[A-Z])[\dO]{2})/i
/** What a scanner types that is no code alone: the second bar of a prescription, a temporary codice fiscale. */
const BAR = /^\d{10,11}$/

/** The first code in a text, however it was typed. */
function prescriptionCode(text: string): string | undefined {
  const joined = text.replace(/[^0-9a-z]/gi, '').toUpperCase()
  return NRE_OF_DIGITS.exec(joined)?.[1] ?? CODE.exec(joined)?.[0]
}

/** Codes are health data, and stay out of the address. */
function normalize(text: string): string {
  const isCode = prescriptionCode(text) !== undefined || PART.test(text)
  return isCode ? '' : (SearchText.safeParse(text).data ?? '')
}

/** Keys that follow one another within this time are typed by a scanner. */
const BURST_MS = 60
/** After a whole code that was typed or pasted. */
const CODE_PAUSE_MS = 700

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

  /** The end of the text that was typed without pauses. */
  const burst = useRef({ text: '', at: 0 })
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pause.current), [])

  function noteKey({ key, timeStamp }: KeyboardEvent) {
    if (key.length > 1) return
    const follows = timeStamp - burst.current.at <= BURST_MS
    burst.current = { text: follows ? burst.current.text + key : key, at: timeStamp }
  }

  /** Looks for a code instead of searching. @returns whether there is one, which the field does not keep */
  function takeCode(code: string | undefined): boolean {
    const isTaken = code !== undefined && announceScan(code)
    if (isTaken) search.drop()
    return isTaken
  }

  /** Looks for a whole code when nothing follows: a scanner ends it with Enter, which would press what was found. */
  function type(text: string) {
    search.type(text)
    clearTimeout(pause.current)
    const code = prescriptionCode(text)
    if (code) pause.current = setTimeout(() => takeCode(code), CODE_PAUSE_MS)
  }

  /** What Enter after this text means; undefined for a search. */
  function codeAtEnter(text: string): string | undefined {
    const scanned = burst.current.text
    if (BAR.test(scanned) && text.endsWith(scanned)) return scanned
    return prescriptionCode(text) ?? (PART.test(text) ? text.trim() : undefined)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    noteKey(event)
    if (event.key === 'Enter') {
      clearTimeout(pause.current)
      if (!takeCode(codeAtEnter(search.text))) search.searchNow()
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
        type,
      }}
      placeholder="Numero, cliente, telefono, indirizzo o prodotto"
      maxLength={MAX_LETTERS}
      busy={waiting && search.text !== ''}
      className="lg:min-w-56"
      onKeyDown={onKeyDown}
    />
  )
}
