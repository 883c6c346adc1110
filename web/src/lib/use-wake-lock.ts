import { useCallback, useEffect, useRef } from 'react'

/**
 * Keeps the screen on while `isWanted`.
 *
 * @returns `ask`, to be called in a click, for a time before `isWanted`; and `release`, which ends that time
 */
export function useWakeLock(isWanted: boolean) {
  const lock = useRef<WakeLockSentinel | null>(null)
  const isAsked = useRef(false)

  const release = useCallback(() => {
    isAsked.current = false
    void lock.current?.release().catch(() => undefined)
    lock.current = null
  }, [])

  const ask = useCallback(() => {
    // A browser may not have it, and may refuse it: with a low battery, for example.
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    isAsked.current = true
    if (lock.current && !lock.current.released) return
    navigator.wakeLock.request('screen').then(
      (given) => {
        const isHeld = lock.current !== null && !lock.current.released
        // Released or given otherwise while the browser was asked.
        if (isAsked.current && !isHeld) lock.current = given
        else void given.release().catch(() => undefined)
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
      release()
    }
  }, [isWanted, ask, release])

  return { ask, release }
}
