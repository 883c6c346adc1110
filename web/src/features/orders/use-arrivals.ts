import type { OrdersPage, OrdersQuery } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'
import { arrivalText, findArrivals } from './arrivals.ts'
import { formatOrdersSearch } from './orders-search.ts'

const HIGHLIGHT_MS = 6_000

/** The rows that have just come in, and the sentence that says so. `page` is undefined while it is another's. */
export function useArrivals(page: OrdersPage | undefined, query: OrdersQuery) {
  const seen = useRef(new Set<string>())
  const last = useRef<{ view: string; page: OrdersPage }>(undefined)
  const [rows, setRows] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (!page) return
    const view = formatOrdersSearch(query).toString()
    const before = last.current
    if (before?.view === view && before.page !== page) {
      const arrivals = findArrivals(before.page, page, query, seen.current)
      if (arrivals.count > 0) {
        setRows(new Set(arrivals.rows))
        setAnnouncement(arrivalText(arrivals.count))
      }
    }
    last.current = { view, page }
    for (const { id } of page.records) seen.current.add(id)
  }, [page, query])

  useEffect(() => {
    if (announcement === '') return
    // It counts from when somebody can see it.
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') return
      timer = setTimeout(() => {
        setRows(new Set())
        setAnnouncement('')
      }, HIGHLIGHT_MS)
    }
    count()
    document.addEventListener('visibilitychange', count)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', count)
    }
  }, [announcement])

  return { rows, announcement }
}
