import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { hasOverlay } from '../../../lib/keys.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { useOverlayEntry } from '../../../lib/use-overlay-entry.ts'
import { focusToastAction } from '../../../ui/toast.ts'
import { useChangePickup } from '../change/use-change-pickup.ts'
import { viewOrder } from '../data/order-view.ts'
import { focusElement, orderElement, orderElements, orderIdOf } from '../data/orders-focus.ts'
import type { OrdersListQuery } from '../data/orders-search.ts'
import { focusSearch } from '../filter/search-box.tsx'
import { type KeyCommand, keyCommand } from './keyboard.ts'

export type OrderKeysProps = {
  page: OrdersPage | undefined
  /** The query in the URL; the rows may still be those of another. */
  query: OrdersListQuery
  /** Record id of the order whose details are open. */
  opened: string | null
  onOpen: (order: OrderRecord, place: HTMLElement | null) => void
  /** Opens an order that may be in no list, or may be changing. */
  onShow: (order: OrderRecord, opener: HTMLElement | null) => void
  onStatus: (order: OrderRecord, status: OrderStatus) => void
  onNeighbour: (step: 1 | -1) => void
  onSelect: (recordId: string) => void
  onPage: (page: number) => void
  onHelp: () => void
}

/**
 * Keyboard shortcuts of the list, whose code is loaded after the page. They act on the order that contains the focus,
 * so that browser, screen reader and Tab key share the same position, and never on selected orders: those may be out of
 * sight.
 */
export function OrderKeys(keys: OrderKeysProps) {
  const { page, query, opened } = keys
  const newOrder = useOverlayEntry('new-order')
  const { change: changePickup } = useChangePickup()
  /** The last focused order and its index, in case it leaves the list. */
  const last = useRef<{ id: string; index: number; query: OrdersListQuery } | null>(null)
  /** The page being loaded, and which of its orders gets the focus. */
  const turning = useRef<{ page: number; step: 1 | -1 } | null>(null)

  function find(id: string): OrderRecord | undefined {
    return page?.records.find((record) => record.id === id)
  }

  function move(step: 1 | -1) {
    const places = orderElements()
    if (!page || places.length === 0) return
    // A new query starts at the top.
    const at = last.current?.query === query ? last.current : null
    const here = at === null ? -1 : places.findIndex(({ dataset }) => dataset['order'] === at.id)
    const place = at === null ? places[0] : places[nextIndex(at.index, here, step)]
    const other = page.pagination.currentPage + step
    const exists = step === 1 ? page.pagination.hasNextPage : other >= 1
    if (place) {
      turning.current = null
      focusElement(place)
    } else if (!exists) {
      // At the end of the list the focus stays.
      const end = places.at(step === 1 ? -1 : 0)
      if (here === -1 && end) focusElement(end)
    } else if (turning.current?.page !== other) {
      turning.current = { page: other, step }
      keys.onPage(other)
    }
  }

  function inList(command: KeyCommand, target: EventTarget | null): (() => void) | null {
    if (command.kind === 'search') return focusSearch
    if (command.kind === 'new') return newOrder.open
    if (command.kind === 'help') return keys.onHelp
    if (command.kind === 'undo') return focusToastAction
    return command.kind === 'move' ? () => move(command.step) : onOrder(command, target)
  }

  function onOrder(command: KeyCommand, target: EventTarget | null): (() => void) | null {
    const order = find(orderIdOf(target) ?? '')
    if (!order) return null
    if (command.kind === 'select') return () => keys.onSelect(order.id)
    const change = changeOf(command, order)
    if (change) {
      // After a click the focus may be there without being seen.
      const isSeen = target instanceof Element && target.matches(':focus-visible')
      return isSeen ? change : null
    }
    const element = orderElement(order.id)
    // On a control of the row the key belongs to the control.
    return target === element ? () => keys.onOpen(order, element) : null
  }

  function inDetails(command: KeyCommand, id: string): (() => void) | null {
    if (command.kind === 'move') return () => keys.onNeighbour(command.step)
    const order = find(id)
    return order ? changeOf(command, order) : null
  }

  function changeOf(command: KeyCommand, order: OrderRecord): (() => void) | null {
    if (command.kind === 'status') return () => keys.onStatus(order, command.status)
    if (command.kind !== 'pickup') return null
    return () => void changePickup(viewOrder(order), command.to)
  }

  useShortcuts((event) => {
    const command = keyCommand(event)
    if (command === null) return null
    const detailsOnly = opened !== null && document.querySelectorAll('[role=dialog]').length === 1
    if (detailsOnly) return inDetails(command, opened)
    return hasOverlay() ? null : inList(command, event.target)
  })

  const arrive = useEffectEvent(({ target }: FocusEvent) => {
    const id = orderIdOf(target)
    if (id === null) return
    const index = orderElements().findIndex(({ dataset }) => dataset['order'] === id)
    last.current = { id, index, query }
  })

  useEffect(() => {
    const onFocus = (event: FocusEvent) => arrive(event)
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])

  const current = page?.pagination.currentPage
  useLayoutEffect(() => {
    const turn = turning.current
    if (turn === null) return
    if (query.page === turn.page && current !== turn.page) return
    turning.current = null
    const place = orderElements().at(turn.step === 1 ? 0 : -1)
    if (place && query.page === turn.page) focusElement(place)
  }, [query, current])
  return null
}

/**
 * @param here current index of the order; -1 when it has left the list: then the order at its former index is next
 */
function nextIndex(before: number, here: number, step: 1 | -1): number {
  if (here !== -1) return here + step
  return step === 1 ? before : before - 1
}
