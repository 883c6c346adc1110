import {
  MAX_SELECTED_ORDERS,
  type OrdersSearchFilter,
  selectOrders,
} from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { Button } from '../../ui/button.tsx'
import { toastError } from '../../ui/toast.ts'
import type { KnownPagination } from './use-order-counts.ts'
import type { SelectionState } from './use-selection.ts'

export type SelectAllProps = {
  selection: SelectionState
  page: OrdersPage | undefined
  pagination: KnownPagination | null
  /** The filter of the list. */
  filter: OrdersSearchFilter
}

function buttonText(total: number | null): string {
  if (total === null) return `Seleziona tutti gli ordini, al massimo ${MAX_SELECTED_ORDERS}`
  if (total > MAX_SELECTED_ORDERS) return `Seleziona i ${MAX_SELECTED_ORDERS} più recenti`
  return `Seleziona tutti: ${formatNumber(total)} ordini`
}

/** Shown when the whole page is selected: selects the orders of the other pages too. */
export function SelectAllButton(props: SelectAllProps & { inactive: boolean }) {
  const { page, pagination, filter, inactive } = props
  const { ofPage, selection, full, select } = props.selection
  const [asking, setAsking] = useState(false)
  if (!page || !pagination || ofPage !== 'all' || full) return null
  const total = pagination.totalRecords
  const onePage = !pagination.hasNextPage && pagination.currentPage === 1
  if (onePage || (total !== null && selection.size >= total)) return null

  async function selectAll(button: HTMLElement) {
    setAsking(true)
    try {
      const { orders } = await call(selectOrders, { body: filter })
      // The button disappears: the focus stays in the bar.
      button.closest<HTMLElement>('[data-bulk-bar]')?.focus({ preventScroll: true })
      select(orders.map(({ recordId, status }) => [recordId, { number: null, status }]))
    } catch (error) {
      toastError('Impossibile selezionare gli altri ordini', {
        about: 'selection',
        description: errorMessage(error),
      })
    } finally {
      setAsking(false)
    }
  }

  return (
    <Button
      look="link"
      size="bare"
      className="min-h-11 max-lg:order-2 max-lg:w-full max-lg:justify-start max-lg:px-1 lg:min-h-9"
      inactive={inactive || asking}
      onClick={({ currentTarget }) => void selectAll(currentTarget)}
    >
      {buttonText(total)}
    </Button>
  )
}
