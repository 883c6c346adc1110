import { useState } from 'react'
import { useOverlayEntry } from '../../../lib/use-overlay-entry.ts'

/** The sheet as a history entry. With unsaved changes it stays open after Back, and asks. */
export function useArrangeEntry() {
  const entry = useOverlayEntry('arrange-offers')
  const [unsaved, setUnsaved] = useState(false)
  return {
    isOpen: entry.isOpen || unsaved,
    /** The user has navigated back with unsaved changes. */
    isLeft: unsaved && !entry.isOpen,
    open: entry.open,
    setUnsaved,
    close() {
      setUnsaved(false)
      entry.close()
    },
  }
}
