import type { OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

/** What the history knows of it: that details are open, never whose. */
const Entry = z.object({ details: z.literal(true) })

/** The order whose details are open, as it was read last, and the control to which the focus returns. */
type Opened = { order: OrderRecord; opener: HTMLElement | null }

/**
 * The details are a history entry on top of the list, so that 'back', on a phone the way to close
 * whatever is in front, closes them instead of leaving the page beneath.
 *
 * @param pages those that are kept up to date. An order that is on none of them any more is `gone`: what
 * becomes of it is not known.
 */
export function useDetails(pages: readonly (OrdersPage | undefined)[]) {
  const location = useLocation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)
  const leaving = useRef(false)
  const { search } = location
  const onTop = Entry.safeParse(location.state).success

  const found = opened && findOrder(pages, opened.order.id)
  if (found && found !== opened.order) setOpened({ ...opened, order: found })

  useEffect(() => {
    // After a reload the history says so, but nobody knows of which order.
    if (onTop && opened === null) void navigate({ search }, { replace: true, state: null })
    if (!onTop) leaving.current = false
  }, [onTop, opened, navigate, search])

  function open(order: OrderRecord, opener: HTMLElement | null) {
    setOpened({ order, opener })
    // As it is at this moment: a page asked for a moment ago may not be rendered yet.
    void navigate({ search: window.location.search }, { state: { details: true } })
  }

  function close() {
    // Going back takes a moment: a second click must not go back twice.
    if (leaving.current) return
    leaving.current = true
    void navigate(-1)
  }

  return { opened: onTop && opened ? { ...opened, gone: !found } : null, open, close }
}

function findOrder(pages: readonly (OrdersPage | undefined)[], wanted: string) {
  for (const page of pages) {
    const order = page?.records.find(({ id }) => id === wanted)
    if (order) return order
  }
  return undefined
}
