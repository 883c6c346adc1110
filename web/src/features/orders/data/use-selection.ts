import { MAX_SELECTED_ORDERS } from '@bancone/contract/order-search'
import type { OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { orderNumber } from './order-view.ts'

const nothing: Selection = new Map()

/** The selected orders, on all pages. The selection ends with the list. */
export function useSelection(page: OrdersPage | undefined) {
  const [stored, setStored] = useState(nothing)
  const [isSelecting, setSelecting] = useState(false)
  const [anchor, setAnchor] = useState<string | null>(null)
  const [touched, setTouched] = useState(false)
  const records = page?.records ?? []

  const selection = withCurrentData(stored, records)
  if (selection !== stored) setStored(selection)

  function select(entries: SelectionEntries) {
    setTouched(true)
    setStored((before) => addToSelection(before, entries))
  }

  function deselect(ids: Iterable<string>) {
    setStored((before) => removeFromSelection(before, ids))
  }

  /** @param range toggle all orders between this one and the anchor */
  function toggle(id: string, range: boolean) {
    const pageIds = records.map((record) => record.id)
    const ids = new Set(range ? rangeOf(pageIds, anchor, id) : [id])
    if (selection.has(id)) deselect(ids)
    else select(records.filter((record) => ids.has(record.id)).map(selectionEntry))
    setAnchor(id)
  }

  const here = records.filter(({ id }) => selection.has(id)).length
  return {
    selection,
    /** How much of the page is selected. */
    ofPage: here === 0 ? ('none' as const) : here < records.length ? 'some' : 'all',
    full: selection.size >= MAX_SELECTED_ORDERS,
    /** Cards have checkboxes only in selection mode. */
    isSelecting: isSelecting || selection.size > 0,
    announcement: touched ? selectedText(selection.size) : '',
    toggle,
    togglePage() {
      if (here === records.length) deselect(records.map(({ id }) => id))
      else select(records.map(selectionEntry))
    },
    select,
    deselect,
    startSelecting: () => setSelecting(true),
    clear() {
      setStored(nothing)
      setSelecting(false)
      setAnchor(null)
    },
  }
}

export type SelectionState = ReturnType<typeof useSelection>

/** What is known of a selected order: its status as it was last shown. */
type SelectedOrder = {
  /** Null when the order was selected without having been on screen. */
  number: string | null
  status: string
}

/** The selected orders by record id, in the order of selection. */
export type Selection = ReadonlyMap<string, SelectedOrder>

type SelectionEntries = Iterable<readonly [recordId: string, SelectedOrder]>

export function selectionEntry(record: OrderRecord): readonly [string, SelectedOrder] {
  return [record.id, { number: orderNumber(record), status: record.fields.Stato }]
}

/** Adds orders up to the maximum. Orders already selected stay as they are. */
export function addToSelection(selection: Selection, entries: SelectionEntries): Selection {
  const next = new Map(selection)
  for (const [id, picked] of entries) {
    if (next.size >= MAX_SELECTED_ORDERS) break
    if (!next.has(id)) next.set(id, picked)
  }
  return next
}

export function removeFromSelection(selection: Selection, ids: Iterable<string>): Selection {
  const next = new Map(selection)
  for (const id of ids) next.delete(id)
  return next
}

/** Updates the selected orders with the shown data; returns the same object when nothing changed. */
export function withCurrentData(selection: Selection, records: readonly OrderRecord[]): Selection {
  const news = records.map(selectionEntry).filter(([id, { number, status }]) => {
    const known = selection.get(id)
    return known && (known.status !== status || known.number !== number)
  })
  return news.length === 0 ? selection : new Map([...selection, ...news])
}

/** The ids from the anchor to `id`, both included; only `id` when the anchor is not on the page. */
export function rangeOf(ids: readonly string[], anchor: string | null, id: string): string[] {
  const [from, to] = [anchor === null ? -1 : ids.indexOf(anchor), ids.indexOf(id)]
  if (from === -1 || to === -1) return [id]
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}

export function selectedText(count: number): string {
  if (count === 0) return 'Nessun ordine selezionato'
  return formatCount(count, 'ordine selezionato', 'ordini selezionati')
}
