import { MAX_RECORD_IDS, type UnseenOrders } from '@bancone/contract/orders'
import { useEffect, useEffectEvent, useState } from 'react'
import { z } from 'zod/mini'
import { tabStorage } from '../../../lib/browser-storage.ts'
import { formatCount } from '../../../lib/format.ts'

const HIGHLIGHT_MS = 6_000

/** 'Hai 1 nuovo ordine', without its content. */
export function newOrdersText(count: number): string {
  return `Hai ${formatCount(count, 'nuovo ordine', 'nuovi ordini')}`
}

/** Called with the record ids of new orders, and their number, which may exceed the number of ids. */
export type OnNewOrders = (ids: readonly string[], count: number) => void

/** Orders that arrived together. */
type Arrival = { ids: ReadonlySet<string>; count: number }

const noIds: ReadonlySet<string> = new Set()

/** The orders that have just arrived, each reported once per tab, and the announcement for screen readers. */
export function useNewOrders(
  userId: string | null,
  unseen: UnseenOrders | undefined,
  tell: OnNewOrders,
) {
  const [known, setKnown] = useState<ReadonlySet<string>>(
    () => new Set(userId === null ? [] : announcedOrders(userId)),
  )
  const [arrival, setArrival] = useState<Arrival | null>(null)
  const onNewOrders = useEffectEvent(tell)

  const unknown = unseen?.recordIds.filter((id) => !known.has(id)) ?? []
  if (unseen && unknown.length > 0) {
    setKnown(new Set([...known, ...unknown]))
    // An order created here gets another record id once the order source has it: it is not new.
    const ids = unknown.filter((id) => !known.has(unseen.formerly?.[id] ?? ''))
    const count = ids.length === MAX_RECORD_IDS ? unseen.count : ids.length
    if (ids.length > 0) setArrival({ ids: new Set(ids), count })
  }

  useEffect(() => {
    if (arrival === null || userId === null) return
    saveAnnounced(userId, arrival.ids)
    onNewOrders([...arrival.ids], arrival.count)
  }, [arrival, userId])

  useEffect(() => {
    if (arrival === null) return
    // The highlight starts when the page is visible.
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') return
      timer = setTimeout(setArrival, HIGHLIGHT_MS, null)
    }
    count()
    document.addEventListener('visibilitychange', count)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', count)
    }
  }, [arrival])

  return {
    arrived: arrival?.ids ?? noIds,
    announcement: arrival ? newOrdersText(arrival.count) : '',
  }
}

const KEY = 'bancone-announced-orders'
/** More ids than a response of the server contains, so that none is announced again. */
const MAX_STORED = 500

const Announced = z.object({ userId: z.string(), ids: z.array(z.string()) })

/** The orders already announced to this user in this tab, so that a reload does not announce them again. */
function announcedOrders(userId: string): string[] {
  try {
    const kept = Announced.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return kept.userId === userId ? kept.ids : []
  } catch {
    return []
  }
}

function saveAnnounced(userId: string, ids: Iterable<string>) {
  const known = new Set([...announcedOrders(userId), ...ids])
  tabStorage.setItem(KEY, JSON.stringify({ userId, ids: [...known].slice(-MAX_STORED) }))
}
