import { useEffect, useState } from 'react'

/** User gestures after which a browser lets a page play sound. */
const GESTURES = ['click', 'keydown', 'pointerup'] as const
/** A context that may play says so within this time. */
const ANSWER_MS = 500

/**
 * Whether the browser would block a sound until a user gesture, found out with a silent `AudioContext`. Any gesture on
 * the page resolves it.
 *
 * @param wanted whether to find out
 */
export function useSoundBlocked(wanted: boolean): boolean {
  const [blocked, setBlocked] = useState(false)

  useEffect(() => {
    if (!wanted || !('AudioContext' in window)) return
    const context = new AudioContext()
    const end = new AbortController()
    const { signal } = end

    function stop() {
      clearTimeout(timer)
      end.abort()
      setBlocked(false)
      if (context.state !== 'closed') void context.close().catch(() => undefined)
    }
    function look() {
      // Permitted once, the page may sound until it is left: the context has done its work.
      if (context.state === 'running') stop()
    }
    const timer = setTimeout(() => setBlocked(context.state === 'suspended'), ANSWER_MS)
    context.addEventListener('statechange', look, { signal })
    for (const gesture of GESTURES) {
      const resume = () => void context.resume().then(look, () => undefined)
      document.addEventListener(gesture, resume, { signal })
    }
    look()
    return stop
  }, [wanted])

  return blocked
}
