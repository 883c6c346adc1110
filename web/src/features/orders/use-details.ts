import type { OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

/**
 * State of the history entry: that details are open, but not of which order. `depth`: how many orders were opened
 * from one another.
 */
const Entry = z.object({ overlay: z.literal('details'), depth: z.number().int().min(1).default(1) })

/** An order with open details, as last loaded, and the control that gets the focus afterwards. */
type Opened = { order: OrderRecord; opener: HTMLElement | null }

/** `gone`: on no page that is kept up to date. `from`: the order from whose details it was opened. */
export type OpenedOrder = Opened & { gone: boolean; from: OrderRecord | null }

/**
 * The details are a history entry, so that 'back' closes them instead of leaving the page. An order opened from other
 * details adds another entry.
 *
 * @param pages the pages that are kept up to date. An order on none of them is updated by its own query only
 */
export function useDetails(pages: readonly (OrdersPage | undefined)[]) {
  const location = useLocation()
  const navigate = useNavigate()
  const [stack, setStack] = useState<readonly Opened[]>([])
  /** The depth from which a navigation back has started. */
  const leaving = useRef<number | null>(null)
  const { search, hash } = location
  const entry = Entry.safeParse(location.state)
  const depth = entry.success ? entry.data.depth : 0
  const opened = depth > 0 ? (stack[depth - 1] ?? null) : null

  const found = opened && findOrder(pages, opened.order.id)
  if (found && found !== opened.order) {
    setStack(stack.map((each) => (each === opened ? { ...opened, order: found } : each)))
  }

  const lost = depth > 0 && opened === null
  useEffect(() => {
    // After a reload the order is unknown: the history entry is reset.
    if (lost) void navigate({ search, hash }, { replace: true, state: null })
  }, [lost, navigate, search, hash])
  useEffect(() => {
    if (leaving.current !== depth) leaving.current = null
  }, [depth])

  function enter(deep: number) {
    // The current URL: a navigation just made may not be rendered yet.
    const address = { search: window.location.search, hash: window.location.hash }
    void navigate(address, { state: { overlay: 'details', depth: deep } })
  }

  function leave(steps: number) {
    // Navigation is asynchronous: a second click must not go back twice.
    if (leaving.current === depth) return
    leaving.current = depth
    void navigate(-steps)
  }

  const from = stack[depth - 2]?.order ?? null
  const shown: OpenedOrder | null = opened && { ...opened, gone: !found, from }
  return {
    opened: shown,
    /** Opens an order of the list; replaces the open one. */
    open(order: OrderRecord, opener: HTMLElement | null) {
      const under = opened ? stack.slice(0, depth - 1) : []
      setStack([...under, { order, opener }])
      if (!opened) enter(1)
    },
    /** Opens an order from the details of another. */
    openFromDetails(order: OrderRecord) {
      const opener = stack[0]?.opener ?? null
      setStack([...stack.slice(0, depth), { order, opener }])
      enter(depth + 1)
    },
    back: () => leave(1),
    close: () => leave(depth),
  }
}

function findOrder(pages: readonly (OrdersPage | undefined)[], wanted: string) {
  for (const page of pages) {
    const order = page?.records.find(({ id }) => id === wanted)
    if (order) return order
  }
  return undefined
}
