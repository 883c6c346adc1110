import { useCallback, useEffect, useRef } from 'react'

/** Keeps the screen on while `isWanted`. @returns a function that asks for it, to be called in a click */
export function useWakeLock(isWanted: boolean): () => void {
  const lock = useRef<WakeLockSentinel | null>(null)

  const ask = useCallback(() => {
    // A browser may not have it, and may refuse it: with a low battery, for example.
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    if (lock.current && !lock.current.released) return
    navigator.wakeLock.request('screen').then(
      (given) => {
        lock.current = given
      },
      () => undefined,
    )
  }, [])

  useEffect(() => {
    if (!isWanted) return undefined
    ask()
    // The browser takes it back whenever the page is hidden.
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock.current?.release().catch(() => undefined)
      lock.current = null
    }
  }, [isWanted, ask])

  return ask
}
