import { useSyncExternalStore } from 'react'
import { ApiError } from './api.ts'

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

/** Whether the browser has no network. A server on the same machine can be reached nevertheless. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, () => !navigator.onLine)
}

/** Whether a call has failed because the browser has no network. */
export function failedOffline(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0 && !error.timedOut && !navigator.onLine
}

/** Resolves when the browser has a network again. */
export function untilOnline(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true })
  })
}
