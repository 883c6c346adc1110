import { z } from 'zod'
import { tabStorage } from '../../lib/browser-storage.ts'

const KEY = 'bancone-announced-orders'
/** More than the server ever names, so that none comes back as new. */
const MOST_KEPT = 500

const Announced = z.object({ pharmacyId: z.string(), ids: z.array(z.string()) })

/** The orders this tab has been told of, so that a reload of the page does not announce them again. */
export function announcedOrders(pharmacyId: string): string[] {
  try {
    const kept = Announced.parse(JSON.parse(tabStorage.getItem(KEY) ?? ''))
    return kept.pharmacyId === pharmacyId ? kept.ids : []
  } catch {
    return []
  }
}

export function keepAnnounced(pharmacyId: string, ids: Iterable<string>) {
  const known = new Set([...announcedOrders(pharmacyId), ...ids])
  tabStorage.setItem(KEY, JSON.stringify({ pharmacyId, ids: [...known].slice(-MOST_KEPT) }))
}
