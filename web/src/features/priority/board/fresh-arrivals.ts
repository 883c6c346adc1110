import type { PrioritySession } from '@bancone/contract/priority'
import { useSyncExternalStore } from 'react'
import { tabStorage } from '../../../lib/browser-storage.ts'

/** Time for which an arrival is shown as new. */
const FRESH_MS = 5_000

const none: ReadonlySet<string> = new Set()
let fresh = none
const listeners = new Set<() => void>()

function change(next: ReadonlySet<string>) {
  fresh = next
  for (const listener of listeners) listener()
}

/** Shows sessions as new for five seconds. */
export function showAsFresh(ids: readonly string[]) {
  change(new Set([...fresh, ...ids]))
  setTimeout(() => change(new Set([...fresh].filter((id) => !ids.includes(id)))), FRESH_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The ids of the sessions that have just arrived. */
export function useFreshArrivals(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => fresh)
}

const KEY = 'bancone-announced-arrivals'
/** More than can wait at a counter. */
const MAX_STORED = 200

/** A customer who was sent back arrives again: that is another arrival of the same session. */
export function arrivalKey({ id, arrivedAt }: PrioritySession): string {
  return `${id}@${arrivedAt ?? ''}`
}

/** The arrivals that were not announced in this tab before; from now on they were. A reload does not forget them. */
export function takeUnannounced(sessions: readonly PrioritySession[]): PrioritySession[] {
  const known = (tabStorage.getItem(KEY) ?? '').split(' ').filter(Boolean)
  const news = sessions.filter((session) => !known.includes(arrivalKey(session)))
  if (news.length > 0) {
    tabStorage.setItem(KEY, [...known, ...news.map(arrivalKey)].slice(-MAX_STORED).join(' '))
  }
  return news
}
