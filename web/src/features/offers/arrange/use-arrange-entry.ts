import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Entry = z.object({ arranging: z.literal(true) })

/**
 * The arranging is an entry of the history on top of the list, so that 'back', on a phone the way to close what is
 * in front, closes it instead of leaving the page. With something unsaved it stays, and asks.
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
    /** 'Back' was pressed over something that is not saved. */
    isLeft: unsaved && !isThere,
    open,
    setUnsaved,
    close() {
      setUnsaved(false)
      // Going back takes a moment: a second click must not go back twice.
      if (!isThere || leaving.current) return
      leaving.current = true
      void navigate(-1)
    },
  }
}
