import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Entry = z.object({ arranging: z.literal(true) })

/**
 * The sheet as a history entry on top of the list, so that Back, which closes overlays on phones, closes it and does
 * not leave the page. With unsaved changes it stays open and asks.
 */
export function useArrangeEntry() {
  const location = useLocation()
  const navigate = useNavigate()
  const [unsaved, setUnsaved] = useState(false)
  const { search } = location
  const isThere = Entry.safeParse(location.state).success
  const leaving = useRef(false)
  useEffect(() => {
    if (isThere) leaving.current = false
  }, [isThere])

  function open() {
    void navigate({ search }, { state: { arranging: true } })
  }

  return {
    isOpen: isThere || unsaved,
    /** The user has navigated back with unsaved changes. */
    isLeft: unsaved && !isThere,
    open,
    setUnsaved,
    close() {
      setUnsaved(false)
      // Navigating back is asynchronous: a second click must not go back twice.
      if (!isThere || leaving.current) return
      leaving.current = true
      void navigate(-1)
    },
  }
}
