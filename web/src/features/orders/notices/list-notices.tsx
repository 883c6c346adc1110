import type { Freshness } from '@bancone/contract/order-health'
import {
  dismissOrderNotice,
  type OrderNotice,
  type OrderStatus,
  type OrdersPage,
} from '@bancone/contract/orders'
import { TriangleAlert } from 'lucide-react'
import { type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { toastError } from '../../../ui/toast.ts'
import { isListInUse } from '../data/hold-back.ts'
import { useLiveOrders } from '../data/live-orders.tsx'
import { MessagingContext } from '../data/order-links.ts'
import { focusNextButton, focusOrders, ordersListId } from '../data/orders-focus.ts'
import type { Go, OrdersListQuery } from '../data/orders-search.ts'
import { healthSummary } from './copy-health-texts.ts'

export type ListNoticesProps = {
  page: OrdersPage | undefined
  pending: ReadonlyMap<string, OrderStatus>
  onHealth: (opener: HTMLElement) => void
  /** The element of the whole page. */
  root: RefObject<HTMLElement | null>
}

/** Rare notices of a page: orders from messages, failed changes, and problems of the copy. */
export function ListNotices({ page, pending, onHealth, root }: ListNoticesProps) {
  useKeptPlace(root)
  const { connection } = useLiveOrders()
  const loadMessaging = useContext(MessagingContext)
  const loadDrafts = useMemo(
    () => loadMessaging && (async () => (await loadMessaging()).loadDraftsBanner()),
    [loadMessaging],
  )
  return (
    <>
      {loadDrafts ? (
        <LazyBoundary load={loadDrafts} props={{ live: connection === 'live' }} />
      ) : null}
      <ChangeNotices notices={page?.notices ?? []} pending={pending} />
      <CopyHealthLine freshness={page?.freshness} onOpen={onHealth} />
    </>
  )
}

type WaitingOrdersProps = {
  count: number
  query: OrdersListQuery
  go: Go
  onShow: () => void
}

/** The button that shows the waiting orders. It lies over the list, and stays below the top bar. */
export function WaitingOrders({ count, query, go, onShow }: WaitingOrdersProps) {
  function show() {
    onShow()
    // Newest first, the new orders are on the first page.
    if (query.page > 1 && query.ordina === undefined) go({ page: 1 })
    window.scrollTo({ top: 0 })
    // The button disappears.
    focusOrders()
  }

  if (count === 0) return null
  return (
    <div className="sticky top-[calc(var(--top-bar)+30px)] z-20 flex h-0 justify-center print:hidden">
      <Button look="primary" className="-translate-y-1/2 rounded-full shadow-float" onClick={show}>
        {formatCount(count, 'nuovo ordine', 'nuovi ordini')}
      </Button>
    </div>
  )
}

/** Maximum number of notices at a time: more would push the orders off the screen. */
const MAX_SHOWN = 3

/** The text about a status change that failed in the order source. */
function noticeText({ kind, recordId, orderNumber, wanted, kept }: OrderNotice): string {
  const number = orderNumber ?? recordId
  if (kind === 'not_created') {
    return `Airtable non ha accettato l'ordine ${number}: resta solo in Bancone.`
  }
  if (kind === 'gone' || kept === null) return `L'ordine ${number} non c'è più in Airtable.`
  return kind === 'refused'
    ? `Airtable ha rifiutato il passaggio dell'ordine ${number} a «${wanted}»: è tornato a «${kept}».`
    : `L'ordine ${number} è stato cambiato in Airtable mentre la modifica era in attesa di invio: ora è «${kept}», non «${wanted}».`
}

type ChangeNoticesProps = {
  notices: readonly OrderNotice[]
  /** Changes that are still pending here: their outcome is reported when they end. */
  pending: ReadonlyMap<string, OrderStatus>
}

function ChangeNotices({ notices, pending }: ChangeNoticesProps) {
  const { mutateAsync } = useEndpointMutation(dismissOrderNotice)
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const container = useRef<HTMLDivElement>(null)
  const left = notices.filter((notice) => !pending.has(notice.recordId) && !read.has(keyOf(notice)))

  async function dismiss(notice: OrderNotice, button: HTMLElement) {
    focusNextButton(button, container)
    setRead((before) => new Set(before).add(keyOf(notice)))
    try {
      await mutateAsync({ params: { recordId: notice.recordId } })
    } catch (error) {
      setRead((before) => new Set([...before].filter((key) => key !== keyOf(notice))))
      toastError("Impossibile togliere l'avviso", { description: errorMessage(error) })
    }
  }

  if (left.length === 0) return null
  return (
    <div ref={container} className="contents">
      {left.slice(0, MAX_SHOWN).map((notice) => (
        <Alert
          key={keyOf(notice)}
          tone={notice.kind === 'gone' ? 'notice' : 'error'}
          action={
            <Button
              size="small"
              className="max-md:h-11 max-md:px-4"
              onClick={({ currentTarget }) => void dismiss(notice, currentTarget)}
            >
              Ho capito
            </Button>
          }
        >
          {noticeText(notice)}
        </Alert>
      ))}
      {left.length > MAX_SHOWN ? (
        <p className="text-sm text-muted">
          {left.length === MAX_SHOWN + 1
            ? "C'è un altro avviso."
            : `Ci sono altri ${formatNumber(left.length - MAX_SHOWN)} avvisi.`}
        </p>
      ) : null}
    </div>
  )
}

/** Includes the time: a later notice about the same order is a different one. */
function keyOf({ recordId, at }: OrderNotice): string {
  return `${recordId} ${at}`
}

type CopyHealthLineProps = {
  freshness: Freshness | undefined
  onOpen: (opener: HTMLElement) => void
}

/** A line of text when the copy has a problem, with a button for the details. */
function CopyHealthLine({ freshness, onOpen }: CopyHealthLineProps) {
  const summary = freshness ? healthSummary(freshness) : null
  if (summary === null) return null
  return (
    <p className="flex gap-2 text-sm text-muted print:hidden">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-pending" />
      <span>
        {summary}{' '}
        <Button
          look="link"
          size="bare"
          className="relative before:absolute before:inset-x-0 before:-inset-y-3"
          onClick={({ currentTarget }) => onOpen(currentTarget)}
        >
          Stato della copia
        </Button>
      </span>
    </p>
  )
}

/**
 * Keeps the rows where they are while the list is in use and a banner above it comes or goes. Browsers do this on a page
 * that is scrolled. At its top the page scrolls by a new banner, and the room of one that goes is left.
 */
function useKeptPlace(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const page = root.current
    if (!page) return
    /** The height of what is above the list; null while there is no list. */
    let above: number | null = null
    /** How far the page was scrolled, before the browser scrolled it for what has changed. */
    let scrolled = window.scrollY
    let room = 0

    function measure(): number | null {
      const list = document.getElementById(ordersListId)
      if (!page || !list) return null
      return list.getBoundingClientRect().top - page.getBoundingClientRect().top
    }

    function leave(next: number) {
      room = next
      if (page) page.style.paddingTop = next > 0 ? `${next}px` : ''
      above = measure()
    }

    function scrollBy(top: number) {
      if (!page) return
      // A short page has nothing to scroll.
      page.style.minHeight = `${window.innerHeight + top - page.getBoundingClientRect().top}px`
      window.scrollBy({ top, behavior: 'instant' })
    }

    /** Removes the empty room above the list once it is scrolled out of sight, or the list is not in use. */
    function close() {
      const isUsed = isListInUse()
      if (room > 0 && (window.scrollY >= room || !isUsed)) leave(0)
      if (page && !isUsed) page.style.minHeight = ''
    }

    function keep() {
      const now = measure()
      const grown = now === null || above === null ? 0 : now - above
      const before = scrolled
      above = now
      scrolled = window.scrollY
      if (Math.abs(grown) < 1 || !isListInUse()) return close()
      // What a banner that goes leaves, without what the browser scrolls back.
      if (grown < 0) return leave(room + Math.max(0, -grown - before))
      if (before > 0) return
      const taken = Math.min(room, grown)
      leave(room - taken)
      scrollBy(grown - taken)
      scrolled = window.scrollY
    }

    function onScroll() {
      scrolled = window.scrollY
      close()
    }

    const observer = new ResizeObserver(keep)
    observer.observe(page)
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', onScroll)
    }
  }, [root])
}
