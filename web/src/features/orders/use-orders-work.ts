import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { useState } from 'react'
import { viewOrder } from './order-view.ts'
import type { Go, OrdersAsked } from './orders-search.ts'
import { usePendingStatuses } from './pending-statuses.ts'
import { useBulkChange } from './use-bulk-change.ts'
import { useChangeStatus } from './use-change-status.ts'
import type { OrderKeysProps } from './use-order-keys.ts'
import { useSelection } from './use-selection.ts'

type OrdersInView = {
  shown: OrdersPage | undefined
  query: OrdersAsked
  /** The order whose details are open. */
  opened: string | null
  onOpen: (order: OrderRecord, opener: HTMLElement | null) => void
  go: Go
}

/** What is done with the orders of the list: one by one, many at once, and by the keyboard. */
export function useOrdersWork({ shown, query, opened, onOpen, go }: OrdersInView) {
  const statuses = usePendingStatuses()
  const { pending, changed } = statuses
  const { change, conflict, endConflict } = useChangeStatus(statuses)
  const selection = useSelection(shown)
  const bulk = useBulkChange(statuses, selection)
  const [help, setHelp] = useState<{ opener: Element | null } | null>(null)
  const openHelp = () => setHelp({ opener: document.activeElement })

  function changeRecord(record: OrderRecord, status: OrderStatus) {
    if ((pending.get(record.id) ?? record.fields.Stato) === status) return
    void change(viewOrder(record), status)
  }

  const keys: OrderKeysProps = {
    page: shown,
    query,
    opened,
    onOpen(record, place) {
      if (!pending.has(record.id)) onOpen(record, place)
    },
    onStatus: changeRecord,
    onSelect: (id) => selection.toggle(id, false),
    onPage: (page) => go({ page }),
    onHelp: openHelp,
  }

  return {
    pending,
    changed,
    change,
    conflict,
    endConflict,
    selection,
    bulk,
    keys,
    help,
    openHelp,
    closeHelp: () => setHelp(null),
  }
}

export type OrdersWorkState = ReturnType<typeof useOrdersWork>
