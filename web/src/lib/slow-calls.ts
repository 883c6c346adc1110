import { useSyncExternalStore } from 'react'

/** A call without a response for this long shows that the server is slow. */
const SLOW_AFTER_MS = 4_000

let slowCalls = 0
const subscribers = new Set<() => void>()

function add(count: 1 | -1) {
  slowCalls += count
  for (const onChange of subscribers) onChange()
}

/** Counts the call as slow from `SLOW_AFTER_MS` on until it ends. */
export async function watchSlowness<T>(call: Promise<T>): Promise<T> {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    add(1)
  }, SLOW_AFTER_MS)
  try {
    return await call
  } finally {
    clearTimeout(timer)
    if (isSlow) add(-1)
  }
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}

/** Whether a call has been waiting for the server for long. */
export function useServerSlow(): boolean {
  return useSyncExternalStore(subscribe, () => slowCalls > 0)
}
