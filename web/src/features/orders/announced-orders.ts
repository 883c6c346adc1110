import { z } from 'zod'
import { tabStorage } from '../../lib/browser-storage.ts'

const KEY = 'bancone-announced-orders'
/** More than the server ever names, so that none comes back as new. */
const MOST_KEPT = 500

const Announced = z.object({ userId: z.string(), ids: z.array(z.string()) })

/**
 * The orders that somebody has been told of in this tab, so that a reload of the page does not announce them
 * again. Whoever signs in next has not been told.
 */
export function announcedOrders(userId: string): string[] {
  try {
    const kept = Announced.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return kept.userId === userId ? kept.ids : []
  } catch {
    return []
  }
}

export function keepAnnounced(userId: string, ids: Iterable<string>) {
  const known = new Set([...announcedOrders(userId), ...ids])
  tabStorage.setItem(KEY, JSON.stringify({ userId, ids: [...known].slice(-MOST_KEPT) }))
}
