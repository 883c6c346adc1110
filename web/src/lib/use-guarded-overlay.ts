import { useState } from 'react'
import { useBeforeUnloadPrompt } from './use-before-unload-prompt.ts'
import { useOverlayEntry } from './use-overlay-entry.ts'

export type GuardedOverlay = ReturnType<typeof useGuardedOverlay>

/**
 * An overlay as a history entry, which asks before unsaved changes are discarded. After Back, which cannot be prevented, it
 * stays open and asks.
 */
export function useGuardedOverlay(name: string) {
  const entry = useOverlayEntry(name)
  const [unsaved, setUnsaved] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const isLeft = unsaved && !entry.isOpen
  useBeforeUnloadPrompt(unsaved)

  function close() {
    setUnsaved(false)
    setLeaving(false)
    entry.close()
  }

  return {
    isOpen: entry.isOpen || unsaved,
    /** Whether to ask now. */
    asks: leaving || isLeft,
    open: entry.open,
    setUnsaved,
    /** Closes it, with or without unsaved changes. */
    close,
    /** Closes it, or asks first. */
    leave() {
      if (unsaved) setLeaving(true)
      else close()
    },
    stay() {
      setLeaving(false)
      if (isLeft) entry.open()
    },
  }
}
