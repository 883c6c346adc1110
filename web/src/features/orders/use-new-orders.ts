import { MOST_NAMED, type Unseen } from '@bancone/contract/orders'
import { useEffect, useEffectEvent, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { announcedOrders, keepAnnounced } from './announced-orders.ts'

const HIGHLIGHT_MS = 6_000

/** 'Hai 1 nuovo ordine', without a word on what it is. */
export function newOrdersText(count: number): string {
  return count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${formatNumber(count)} nuovi ordini`
}

/** What is told of new orders: which, by record id, and how many, which may be more than are named. */
export type OnNewOrders = (ids: readonly string[], count: number) => void

/** Orders that came in together: their record ids, and how many they are. */
type Arrival = { ids: ReadonlySet<string>; count: number }

const nobody: ReadonlySet<string> = new Set()

/** The orders that have just come in, each told of once in this tab, and the sentence that says so. */
export function useNewOrders(userId: string | null, unseen: Unseen | undefined, tell: OnNewOrders) {
  const [known, setKnown] = useState<ReadonlySet<string>>(
    () => new Set(userId === null ? [] : announcedOrders(userId)),
  )
  const [arrival, setArrival] = useState<Arrival | null>(null)
  const onNewOrders = useEffectEvent(tell)

  const unknown = unseen?.recordIds.filter((id) => !known.has(id)) ?? []
  if (unseen && unknown.length > 0) {
    setKnown(new Set([...known, ...unknown]))
    // One that was made here has another record id once its store has it, and is no other order.
    const ids = unknown.filter((id) => !known.has(unseen.formerly?.[id] ?? ''))
    const count = ids.length === MOST_NAMED ? unseen.count : ids.length
    if (ids.length > 0) setArrival({ ids: new Set(ids), count })
  }

  useEffect(() => {
    if (arrival === null || userId === null) return
    keepAnnounced(userId, arrival.ids)
    onNewOrders([...arrival.ids], arrival.count)
  }, [arrival, userId])

  useEffect(() => {
    if (arrival === null) return
    // It counts from when somebody can see it.
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
    arrived: arrival?.ids ?? nobody,
    announcement: arrival ? newOrdersText(arrival.count) : '',
  }
}
