import { MOST_SELECTED } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { useState } from 'react'
import {
  asShown,
  type Picks,
  pickOf,
  rangeOf,
  type Selection,
  withoutPicks,
  withPicks,
} from './selection.ts'
import { selectedText } from './selection-texts.ts'

const nothing: Selection = new Map()

/** The orders that are selected, on this page of the list and on others. It goes with the list. */
export function useSelection(page: OrdersPage | undefined) {
  const [kept, setKept] = useState(nothing)
  const [choosing, setChoosing] = useState(false)
  const [anchor, setAnchor] = useState<string | null>(null)
  const [touched, setTouched] = useState(false)
  const records = page?.records ?? []

  const selection = asShown(kept, records)
  if (selection !== kept) setKept(selection)

  function select(picks: Picks) {
    setTouched(true)
    setKept((before) => withPicks(before, picks))
  }

  function deselect(ids: Iterable<string>) {
    setKept((before) => withoutPicks(before, ids))
  }

  /** @param range with all between it and the one before it */
  function toggle(id: string, range: boolean) {
    const pageIds = records.map((record) => record.id)
    const ids = new Set(range ? rangeOf(pageIds, anchor, id) : [id])
    if (selection.has(id)) deselect(ids)
    else select(records.filter((record) => ids.has(record.id)).map(pickOf))
    setAnchor(id)
  }

  const here = records.filter(({ id }) => selection.has(id)).length
  return {
    selection,
    /** How much of the page is selected. */
    ofPage: here === 0 ? ('none' as const) : here < records.length ? 'some' : 'all',
    full: selection.size >= MOST_SELECTED,
    /** On a phone the boxes are there only for who wants to select. */
    choosing: choosing || selection.size > 0,
    announcement: touched ? selectedText(selection.size) : '',
    toggle,
    togglePage() {
      if (here === records.length) deselect(records.map(({ id }) => id))
      else select(records.map(pickOf))
    },
    select,
    deselect,
    startChoosing: () => setChoosing(true),
    clear() {
      setKept(nothing)
      setChoosing(false)
      setAnchor(null)
    },
  }
}

export type SelectionState = ReturnType<typeof useSelection>
