import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** So long it can be undone. */
const UNDO_MS = 10_000

type Waiting = { id: string; timer: ReturnType<typeof setTimeout> }

/**
 * Takes things away, each after a time in which that can be undone. What is left of that time ends with
 * the page, with the part of it that shows them, and with the next removal.
 *
 * @param remove tells the server, and takes it out of what is shown; says itself when it could not
 */
export function useRemoval(remove: (id: string) => Promise<void>) {
  const waiting = useRef<Waiting | null>(null)
  const [undoable, setUndoable] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())

  function stop(): string | null {
    const removal = waiting.current
    if (removal === null) return null
    clearTimeout(removal.timer)
    waiting.current = null
    setUndoable(null)
    return removal.id
  }

  async function commit() {
    const id = stop()
    if (id === null) return
    setLeaving((before) => new Set(before).add(id))
    await remove(id)
    setLeaving((before) => new Set([...before].filter((each) => each !== id)))
  }

  const end = useEffectEvent(() => void commit())
  useEffect(() => {
    const onLeave = () => end()
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])

  return {
    /** It is still there, but will not be if nobody undoes it. */
    isUndoable: (id: string) => id === undoable,
    /** It is on its way out. */
    isLeaving: (id: string) => leaving.has(id),
    take(id: string) {
      void commit()
      waiting.current = { id, timer: setTimeout(() => void commit(), UNDO_MS) }
      setUndoable(id)
    },
    undo: stop,
  }
}
