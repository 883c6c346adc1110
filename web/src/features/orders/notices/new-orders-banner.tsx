import type { OrdersPage } from '@bancone/contract/orders'
import { BellRing } from 'lucide-react'
import { useRef, useState } from 'react'
import { errorMessage } from '../../../lib/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { toastError } from '../../../ui/toast.ts'
import type { LiveOrders } from '../data/live-orders.tsx'
import { focusOrders } from '../data/orders-focus.ts'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from '../data/orders-search.ts'
import { newOrdersText } from '../data/use-new-orders.ts'

type NewOrdersBannerProps = {
  liveOrders: LiveOrders
  query: OrdersListQuery
  shown: OrdersPage | undefined
  go: Go
  refetch: () => void
}

/** The action that leads to the new orders; null when there are none, or the newest is on screen. */
function showAction({ liveOrders, query, shown, go, refetch }: NewOrdersBannerProps) {
  const [newest] = liveOrders.unseen.recordIds
  if (newest === undefined || !shown || shown.records.some(({ id }) => id === newest)) return null
  const onTop = query.page === 1 && query.ordina === undefined && !isFiltered(query)
  // The page is about to be refetched, or the order is an old one further down that arrived late.
  if (onTop && liveOrders.autoRefresh) return null
  return {
    label: liveOrders.autoRefresh ? 'Mostra' : 'Mostra i nuovi ordini',
    run() {
      if (onTop) refetch()
      else go({ ...NO_FILTER, ordina: undefined, page: 1 })
      window.scrollTo({ top: 0 })
      // The button disappears once the orders are on screen.
      focusOrders()
    },
  }
}

/** Shown until a user of the pharmacy has seen the new orders, on any device. */
export function NewOrdersBanner(props: NewOrdersBannerProps) {
  const { unseen, markAllSeen } = props.liveOrders
  const { count } = unseen
  const show = showAction(props)
  const [done, setDone] = useState(false)
  const result = useRef<HTMLParagraphElement>(null)

  async function markSeen() {
    // The button disappears with the banner: the focus moves to the status text.
    result.current?.focus({ preventScroll: true })
    try {
      await markAllSeen()
      setDone(true)
    } catch (error) {
      toastError('Impossibile segnare gli ordini come visti', {
        about: 'orders-seen',
        description: errorMessage(error),
      })
    }
  }

  return (
    <>
      <p ref={result} tabIndex={-1} role="status" className="sr-only">
        {done && count === 0 ? 'Nessun ordine nuovo: sono stati segnati come visti.' : null}
      </p>
      {count > 0 ? (
        <section
          aria-label="Nuovi ordini"
          className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-confirmed-line bg-accent-soft py-1.5 pr-1.5 pl-3.5 print:hidden"
        >
          <BellRing aria-hidden className="size-4.5 shrink-0 text-accent max-sm:hidden" />
          <p className="flex-1 basis-32 font-medium text-accent tabular-nums">
            {newOrdersText(count)}
          </p>
          <div className="flex flex-wrap gap-2">
            {show ? (
              <Button look="primary" onClick={show.run}>
                {show.label}
              </Button>
            ) : null}
            <Button onClick={() => void markSeen()}>Segna come visti</Button>
          </div>
        </section>
      ) : null}
    </>
  )
}
