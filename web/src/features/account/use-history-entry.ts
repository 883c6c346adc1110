import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Held = z.object({ held: z.literal(true) })

/**
 * An overlay as a history entry on top of the page, so that Back, which closes overlays on phones, closes the overlay
 * and does not leave the page.
 */
export function useHistoryEntry() {
  const location = useLocation()
  const { pathname, search } = location
  const navigate = useNavigate()
  const isThere = Held.safeParse(location.state).success
  // The navigation is asynchronous.
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)

  function open() {
    if (!isThere) void navigate({ pathname, search }, { state: { held: true } })
  }

  const begun = useRef(false)
  const begin = useEffectEvent(open)
  useEffect(() => {
    // React runs effects twice in development.
    if (begun.current) return
    begun.current = true
    begin()
  }, [])

  return {
    /** The user has navigated back. */
    isClosed: wasThere && !isThere,
    open,
    close() {
      if (isThere) void navigate(-1)
    },
  }
}
