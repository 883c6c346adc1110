import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Time in which a removal can be undone. */
const UNDO_MS = 10_000

type PendingRemoval = { id: string; timer: ReturnType<typeof setTimeout> }

/**
 * Removes items after a delay in which the removal can be undone. A pending removal is committed early when the page
 * is closed, when the component unmounts, and by the next removal.
 *
 * @param remove deletes the item on the server and from the cache, and reports its own failure
 */
export function useUndoableRemoval(remove: (id: string) => Promise<void>) {
  const pending = useRef<PendingRemoval | null>(null)
  const [undoable, setUndoable] = useState<string | null>(null)
  const [removing, setRemoving] = useState<ReadonlySet<string>>(new Set())

  function stop(): string | null {
    const removal = pending.current
    if (removal === null) return null
    clearTimeout(removal.timer)
    pending.current = null
    setUndoable(null)
    return removal.id
  }

  async function commit() {
    const id = stop()
    if (id === null) return
    setRemoving((before) => new Set(before).add(id))
    await remove(id)
    setRemoving((before) => new Set([...before].filter((each) => each !== id)))
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
    /** The removal is pending and can be undone. */
    isUndoable: (id: string) => id === undoable,
    /** The removal has been sent to the server. */
    isRemoving: (id: string) => removing.has(id),
    removeLater(id: string) {
      void commit()
      pending.current = { id, timer: setTimeout(() => void commit(), UNDO_MS) }
      setUndoable(id)
    },
    undo: stop,
  }
}
