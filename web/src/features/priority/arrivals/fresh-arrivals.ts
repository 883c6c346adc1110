import { useSyncExternalStore } from 'react'

/** Time for which an arrival is shown as new. */
const FRESH_MS = 5_000

const none: ReadonlySet<string> = new Set()
let fresh = none
const listeners = new Set<() => void>()

function change(next: ReadonlySet<string>) {
  fresh = next
  for (const listener of listeners) listener()
}

/** Shows visits as new for five seconds. */
export function showAsFresh(ids: readonly string[]) {
  change(new Set([...fresh, ...ids]))
  setTimeout(() => change(new Set([...fresh].filter((id) => !ids.includes(id)))), FRESH_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The ids of the visits that have just arrived. */
export function useFreshArrivals(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => fresh)
}
