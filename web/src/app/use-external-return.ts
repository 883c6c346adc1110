import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { forgetPlaceLeft, placeLeft } from '../features/session/external-sign-in.ts'
import { finishReturn, readReturn, withoutReturn } from '../lib/external-sign-in.ts'
import type { Area } from '../lib/session-state.ts'

type End = { busy: boolean; failure: string | null }

/**
 * For a login page that another service sends the browser back to: ends what leaving has begun, and puts the
 * place one wanted back where it was.
 *
 * @returns what to say where nobody is signed in by it
 */
export function useExternalReturn(area: Area): End {
  const location = useLocation()
  const navigate = useNavigate()
  const [back] = useState(() => readReturn(location))
  const [end, setEnd] = useState<End>({ busy: back !== null, failure: null })

  const clean = useEffectEvent(() => {
    // The code leaves the address bar and the history with the entry it stood in.
    const to = { pathname: location.pathname, search: withoutReturn(location.search) }
    void navigate(to, { replace: true, state: placeLeft(area) })
  })

  useEffect(() => {
    if (back === null) return
    let over = false
    clean()
    void finishReturn(area, back).then((failure) => {
      if (over) return
      forgetPlaceLeft(area)
      setEnd({ busy: false, failure })
    })
    return () => {
      over = true
    }
  }, [area, back])

  return end
}
