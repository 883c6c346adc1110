import { MAX_SELECTED_ORDERS } from '@bancone/contract/order-search'
import type { OrderRecord } from '@bancone/contract/orders'
import { orderNumber } from './order-view.ts'

/** What is known of a selected order: its status as it was last shown. */
type SelectedOrder = {
  /** Null when the order was selected without having been on screen. */
  number: string | null
  status: string
}

/** The selected orders by record id, in the order of selection. */
export type Selection = ReadonlyMap<string, SelectedOrder>

export type SelectionEntries = Iterable<readonly [recordId: string, SelectedOrder]>

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
