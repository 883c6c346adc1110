import { z } from 'zod'
import { tabStorage } from '../../lib/browser-storage.ts'

const KEY = 'bancone-announced-orders'
/** More ids than a response of the server contains, so that none is announced again. */
const MAX_STORED = 500

const Announced = z.object({ userId: z.string(), ids: z.array(z.string()) })

/** The orders already announced to this user in this tab, so that a reload does not announce them again. */
export function announcedOrders(userId: string): string[] {
  try {
    const kept = Announced.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return kept.userId === userId ? kept.ids : []
  } catch {
    return []
  }
}

export function saveAnnounced(userId: string, ids: Iterable<string>) {
  const known = new Set([...announcedOrders(userId), ...ids])
  tabStorage.setItem(KEY, JSON.stringify({ userId, ids: [...known].slice(-MAX_STORED) }))
}
