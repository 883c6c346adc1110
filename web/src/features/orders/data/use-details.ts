import { type OrderRecord, type OrdersPage, RecordId } from '@bancone/contract/orders'
import { ORDER_PARAM } from '@bancone/contract/pages'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { queryString } from '../../../lib/query-string.ts'
import { entryIndex, stepsBackTo } from '../../../lib/use-overlay-entry.ts'

/**
 * State of the history entry. `from`: the order from whose details it was opened. `beneath`, `list`: the numbers of the
 * entries of that order and of the list.
 */
const Entry = z.object({
  overlay: z.literal('details'),
  from: z.optional(RecordId),
  beneath: z.number(),
  list: z.number(),
})
type Entry = z.infer<typeof Entry>

/** The state of an entry that others have added. */
const Said = z.catch(z.looseObject({}), {})

function firstEntry(): Entry {
  return { overlay: 'details', beneath: entryIndex(), list: entryIndex() }
}

/** Whether the list has an order above and below the one with open details. */
export type Neighbours = {
  previous: boolean
  next: boolean
  open: (step: 1 | -1) => void
  prefetch: (step: 1 | -1) => void
}

/** The order with open details. */
export type OpenedOrder = {
  id: string
  /** As last loaded with a page; null when only the id is known, as from a shared address. */
  order: OrderRecord | null
  /** The control that gets the focus afterwards. */
  opener: HTMLElement | null
  /** On no page that is kept up to date. */
  gone: boolean
  /** The order from whose details it was opened. */
  from: OrderRecord | null
}

/** The address of an order, for other users of the pharmacy. */
export function orderAddress(recordId: string): string {
  return `${window.location.origin}/?${ORDER_PARAM}=${recordId}`
}

/** Whether the details of the order are open now. */
export function hasOpenDetails(recordId: string): boolean {
  return new URLSearchParams(window.location.search).get(ORDER_PARAM) === recordId
}

function withOrder(recordId: string | null): { search: string; hash: string } {
  // The current URL: a navigation just made may not be rendered yet.
  const { search, hash } = window.location
  const params = new URLSearchParams(search)
  if (recordId === null) params.delete(ORDER_PARAM)
  else params.set(ORDER_PARAM, recordId)
  return { search: queryString(params), hash }
}

/**
 * The open order is in the URL by its record id. The details are a history entry of their own, so that 'back' closes
 * them instead of leaving the page. An order opened from other details adds another entry.
 *
 * @param pages the pages that are kept up to date. An order on none of them is updated by its own query only
 */
export function useDetails(pages: readonly (OrdersPage | undefined)[]) {
  const location = useLocation()
  const { key, search } = location
  const navigate = useNavigate()
  const [known, setKnown] = useState<ReadonlyMap<string, OrderRecord>>(new Map())
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  /** The key of the entry from which a navigation back has started. */
  const leaving = useRef<string | null>(null)
  const said = z
    .catch(z.nullable(RecordId), null)
    .parse(new URLSearchParams(search).get(ORDER_PARAM))
  /**
   * The order of a press, and the key of the entry in which it came. The router renders the new entry a moment later. The
   * press is ignored in other entries. Only Back and Forward lead to its entry again, and both forget the press.
   */
  const [pressed, setPressed] = useState<{ id: string; key: string } | null>(null)
  const id = pressed?.key === key ? pressed.id : said
  const entry = Entry.safeParse(location.state).data ?? null

  const found = id === null ? undefined : findOrder(pages, id)
  if (found && known.get(found.id) !== found) remember(found)

  /** The entry that opened an order by its address, once it has been divided. */
  const divided = useRef<string | null>(null)
  useEffect(() => {
    if (said === null || entry !== null || divided.current === key) return
    divided.current = key
    // An entry for the list beneath, to which closing leads.
    void navigate(withOrder(null), { replace: true })
    // With what the link has said, as that the messages are to be read.
    void navigate(withOrder(said), { state: { ...Said.parse(location.state), ...firstEntry() } })
  }, [said, entry, key, location.state, navigate])
  useEffect(() => {
    if (leaving.current !== key) leaving.current = null
  }, [key])
  useEffect(() => {
    // Back may come before the router has rendered the new entry, which it then never renders.
    const onBack = () => setPressed((leaving.current = null))
    window.addEventListener('popstate', onBack)
    return () => window.removeEventListener('popstate', onBack)
  }, [])

  function remember(order: OrderRecord) {
    setKnown((before) => new Map([...before, [order.id, order]]))
  }

  function enter(recordId: string, next: Entry, replace = false) {
    void navigate(withOrder(recordId), { state: next, replace })
  }

  function leave(to: number | undefined) {
    // Navigation is asynchronous: a second click must not go back twice.
    if (leaving.current === key) return
    leaving.current = key
    void navigate(stepsBackTo(to))
  }

  const opened: OpenedOrder | null =
    id === null
      ? null
      : {
          id,
          order: found ?? known.get(id) ?? null,
          opener,
          gone: !found,
          from: known.get(entry?.from ?? '') ?? null,
        }
  return {
    opened,
    /** Opens an order of the list; replaces the open one. */
    open(order: OrderRecord, by: HTMLElement | null) {
      remember(order)
      setOpener(by)
      setPressed({ id: order.id, key })
      const replace = id !== null
      enter(order.id, replace && entry ? entry : firstEntry(), replace)
    },
    /** Opens an order from the details of another. */
    openFromDetails(order: OrderRecord) {
      remember(order)
      enter(order.id, {
        overlay: 'details',
        beneath: entryIndex(),
        list: entry?.list ?? entryIndex(),
        ...(id === null ? {} : { from: id }),
      })
    },
    back: () => leave(entry?.beneath),
    close: () => leave(entry?.list),
  }
}

function findOrder(pages: readonly (OrdersPage | undefined)[], wanted: string) {
  for (const page of pages) {
    const order = page?.records.find(({ id }) => id === wanted)
    if (order) return order
  }
  return undefined
}
