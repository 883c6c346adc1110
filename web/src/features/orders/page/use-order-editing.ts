import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBulkChange } from '../change/use-bulk-change.ts'
import { useChangeStatus } from '../change/use-change-status.ts'
import { useOptimisticStatuses } from '../data/optimistic-statuses.ts'
import { viewOrder } from '../data/order-view.ts'
import { orderElement } from '../data/orders-focus.ts'
import type { Go, OrdersListQuery } from '../data/orders-search.ts'
import type { Neighbours } from '../data/use-details.ts'
import { useSelection } from '../data/use-selection.ts'
import type { OrderKeysProps } from './order-keys.ts'
import { prefetchDetails } from './prefetch.ts'

type OrderEditingOptions = {
  shown: OrdersPage | undefined
  query: OrdersListQuery
  /** Record id of the order whose details are open. */
  opened: string | null
  onOpen: (order: OrderRecord, opener: HTMLElement | null) => void
  go: Go
}

/** Editing the orders of the list: single changes, bulk changes, and keyboard shortcuts. */
export function useOrderEditing({ shown, query, opened, onOpen, go }: OrderEditingOptions) {
  const client = useQueryClient()
  const statuses = useOptimisticStatuses()
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

  const index = shown?.records.findIndex(({ id }) => id === opened) ?? -1
  const neighbour = (step: 1 | -1) => (index === -1 ? undefined : shown?.records[index + step])

  const neighbours: Neighbours = {
    previous: neighbour(-1) !== undefined,
    next: neighbour(1) !== undefined,
    open(step) {
      const record = neighbour(step)
      if (record) onOpen(record, orderElement(record.id))
    },
    prefetch(step) {
      const record = neighbour(step)
      if (record) prefetchDetails(client, record.id)
    },
  }

  const keys: OrderKeysProps = {
    page: shown,
    query,
    opened,
    onOpen(record, place) {
      if (!pending.has(record.id)) onOpen(record, place)
    },
    onShow: onOpen,
    onNeighbour: neighbours.open,
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
    neighbours,
    keys,
    help,
    openHelp,
    closeHelp: () => setHelp(null),
  }
}

export type OrderEditingState = ReturnType<typeof useOrderEditing>
