import { MOST_SELECTED } from '@bancone/contract/order-search'
import type { OrderRecord } from '@bancone/contract/orders'
import { orderNumber } from './order-view.ts'

/** What is known of a selected order: its status as the screen showed it last. */
type Picked = {
  /** Null where it was selected without having been on screen. */
  number: string | null
  status: string
}

/** The selected orders by record id, in the order they were selected. */
export type Selection = ReadonlyMap<string, Picked>

export type Picks = Iterable<readonly [recordId: string, Picked]>

export function pickOf(record: OrderRecord): readonly [string, Picked] {
  return [record.id, { number: orderNumber(record), status: record.fields.Stato }]
}

/** With these too, up to the most that are selected at once. What is selected stays as it is. */
export function withPicks(selection: Selection, picks: Picks): Selection {
  const next = new Map(selection)
  for (const [id, picked] of picks) {
    if (next.size >= MOST_SELECTED) break
    if (!next.has(id)) next.set(id, picked)
  }
  return next
}

export function withoutPicks(selection: Selection, ids: Iterable<string>): Selection {
  const next = new Map(selection)
  for (const id of ids) next.delete(id)
  return next
}

/** As these orders are now on screen; the same selection if it knew. */
export function asShown(selection: Selection, records: readonly OrderRecord[]): Selection {
  const news = records.map(pickOf).filter(([id, { number, status }]) => {
    const known = selection.get(id)
    return known && (known.status !== status || known.number !== number)
  })
  return news.length === 0 ? selection : new Map([...selection, ...news])
}

/** From the order selected last to this one, both included; this one alone if the other is not on the page. */
export function rangeOf(ids: readonly string[], anchor: string | null, id: string): string[] {
  const [from, to] = [anchor === null ? -1 : ids.indexOf(anchor), ids.indexOf(id)]
  if (from === -1 || to === -1) return [id]
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}
