import { useSyncExternalStore } from 'react'

/** A call without a response for this long shows that the server is slow. */
const SLOW_AFTER_MS = 4_000

/** Begins anew when nothing shows the state any more: the calls of a page that was left are not counted. */
let slowCalls = new Set<symbol>()
const subscribers = new Set<() => void>()

function notify() {
  for (const onChange of subscribers) onChange()
}

/** Counts the call as slow from `SLOW_AFTER_MS` on until it ends. */
export async function watchSlowness<T>(call: Promise<T>): Promise<T> {
  const id = Symbol('call')
  const calls = slowCalls
  const timer = setTimeout(() => {
    calls.add(id)
    notify()
  }, SLOW_AFTER_MS)
  try {
    return await call
  } finally {
    clearTimeout(timer)
    if (calls.delete(id)) notify()
  }
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => {
    subscribers.delete(onChange)
    if (subscribers.size === 0) slowCalls = new Set()
  }
}

/** Whether a call has been waiting for the server for long. */
export function useServerSlow(): boolean {
  return useSyncExternalStore(subscribe, () => slowCalls.size > 0)
}
