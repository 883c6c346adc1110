import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'

const Held = z.object({ held: z.literal(true) })

/**
 * What is in front is an entry of the history on top of the page, so that 'back', on a phone the way to close what
 * is in front, comes to it first and not to the page before.
 */
export function useHeldPlace() {
  const location = useLocation()
  const { pathname, search } = location
  const navigate = useNavigate()
  const isThere = Held.safeParse(location.state).success
  // Going there takes a moment.
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)

  function hold() {
    if (!isThere) void navigate({ pathname, search }, { state: { held: true } })
  }

  const begun = useRef(false)
  const begin = useEffectEvent(hold)
  useEffect(() => {
    // In development effects begin twice.
    if (begun.current) return
    begun.current = true
    begin()
  }, [])

  return {
    /** 'Back' was pressed. */
    isLeft: wasThere && !isThere,
    hold,
    letGo() {
      if (isThere) void navigate(-1)
    },
  }
}
