import { MAX_RECORD_IDS } from '@bancone/contract/orders'
import type { OrdersEvent } from '@bancone/contract/realtime'

/**
 * For so long after an event those that follow are gathered. Screens read their page again at each event, so that more
 * of them in a second are work for everyone and news for no one.
 */
const GATHER_MS = 50

/**
 * Sends the first event of a pharmacy at once, and those within the next moment together: successive ones of one kind as
 * one event, in the order in which they came.
 */
export function gatherNews(send: (pharmacyId: string, event: OrdersEvent) => void) {
  /** What waits, by pharmacy. A pharmacy without an entry has had no event for a moment. */
  const gathered = new Map<string, OrdersEvent[]>()

  function sendGathered(pharmacyId: string): void {
    const waiting = gathered.get(pharmacyId) ?? []
    if (waiting.length === 0) gathered.delete(pharmacyId)
    else wait(pharmacyId)
    for (const event of waiting) send(pharmacyId, event)
  }

  function wait(pharmacyId: string): void {
    gathered.set(pharmacyId, [])
    setTimeout(sendGathered, GATHER_MS, pharmacyId).unref()
  }

  return (pharmacyId: string, event: OrdersEvent): void => {
    const waiting = gathered.get(pharmacyId)
    if (!waiting) {
      wait(pharmacyId)
      send(pharmacyId, event)
      return
    }
    const last = waiting.at(-1)
    if (last?.kind === event.kind) last.ids = together(last.ids, event.ids)
    else waiting.push({ ...event })
  }
}

/** Null when there are too many, or were already. */
function together(some: string[] | null, others: string[] | null): string[] | null {
  if (!some || !others) return null
  const ids = [...new Set([...some, ...others])]
  return ids.length > MAX_RECORD_IDS ? null : ids
}
