import { MAX_SELECTED_ORDERS } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { useState } from 'react'
import {
  addToSelection,
  rangeOf,
  removeFromSelection,
  type Selection,
  type SelectionEntries,
  selectionEntry,
  withCurrentData,
} from './selection.ts'
import { selectedText } from './selection-texts.ts'

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
